#!/usr/bin/env python3
"""Every FMU the build made is a sound zip with the right files, a description that is XML, and a library that shows only FMI functions.

usage: archives_test.py FOLDER_OF_FMUS
"""
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from xml.etree import ElementTree

FMUS = Path(sys.argv.pop())
PLATFORM = {1: "linux64", 2: "linux64", 3: "x86_64-linux"}
MEANT_TO_SHOW_MORE = {"bad-symbols"}
LIBRARIES = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2"}
SANITIZERS = re.compile(r"lib(a|ub|t|l)san\.so\.\d+")


def archives():
    return [(version, path) for version in (1, 2, 3) for path in sorted((FMUS / f"fmi{version}").glob("*.fmu"))]


def library_of(version, path):
    return f"binaries/{PLATFORM[version]}/{path.stem.replace('-', '_')}.so"


class Archives(unittest.TestCase):
    def test_there_are_fmus_of_all_versions(self):
        self.assertGreater(sum(version == 1 for version, _ in archives()), 10)
        self.assertGreater(sum(version == 2 for version, _ in archives()), 30)
        self.assertGreater(sum(version == 3 for version, _ in archives()), 30)

    def test_each_is_a_sound_zip_with_the_right_files(self):
        for version, path in archives():
            with self.subTest(fmu=path.name, version=version), zipfile.ZipFile(path) as archive:
                self.assertIsNone(archive.testzip())
                files = {name for name in archive.namelist() if not name.endswith("/")}
                files = {name for name in files if not name.endswith("scribble.txt")}
                self.assertEqual(files, {"modelDescription.xml", "resources/readme.txt", library_of(version, path)})

    def test_each_description_is_xml_and_names_what_is_there(self):
        for version, path in archives():
            with self.subTest(fmu=path.name, version=version), zipfile.ZipFile(path) as archive:
                root = ElementTree.fromstring(archive.read("modelDescription.xml"))
                self.assertEqual(root.get("fmiVersion"), f"{version}.0")
                self.assertEqual(root.get("modelName"), path.stem)
                interfaces = [root] if version == 1 else root.findall("CoSimulation") + root.findall("ModelExchange")
                self.assertNotEqual(interfaces, [])
                for interface in interfaces:
                    self.assertEqual(interface.get("modelIdentifier"), path.stem.replace("-", "_"))
                variables = list(root.find("ModelVariables"))
                names = [variable.get("name") for variable in variables]
                self.assertEqual(len(names), len(set(names)))
                if version == 1:
                    continue  # outputs say themselves what they depend on
                outputs = [variable for variable in variables if variable.get("causality") == "output"]
                listed = root.findall("ModelStructure/Outputs/Unknown" if version == 2 else "ModelStructure/Output")
                self.assertEqual(len(outputs), len(listed))

    def test_libraries_show_fmi_functions_alone_and_need_only_the_runtime(self):
        for version, path in archives():
            with self.subTest(fmu=path.name, version=version), tempfile.TemporaryDirectory() as folder:
                with zipfile.ZipFile(path) as archive:
                    library = archive.extract(library_of(version, path), folder)
                symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True)
                shown = [line.split()[-1] for line in symbols.stdout.splitlines()]
                prefix = f"{path.stem.replace('-', '_')}_fmi" if version == 1 else f"fmi{version}"
                strangers = [name for name in shown if not name.startswith(prefix)]
                self.assertEqual(strangers != [], path.stem in MEANT_TO_SHOW_MORE, strangers)
                dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
                needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
                self.assertEqual({name for name in needed - LIBRARIES if not SANITIZERS.fullmatch(name)}, set())


if __name__ == "__main__":
    unittest.main()
