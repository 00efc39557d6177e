// An FMU of ours, unpacked by the build: its description and its library, by hand.
#pragma once

#include <dlfcn.h>

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace seam::fmus {

class Library {
 public:
  Library(int version, const std::string& name)
      : folder_(std::string(SEAM_BINARY_DIR) + "/fmus/unpacked/fmi" + std::to_string(version) + "/" + name) {
    const std::string text = read(folder_ + "/modelDescription.xml");
    const std::string mark = "\" valueReference=\"";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      const std::size_t name_begin = text.rfind('"', at - 1) + 1;
      if (text.compare(name_begin - 7, 7, " name=\"") != 0) continue;  // not a variable
      references_[text.substr(name_begin, at - name_begin)] =
          static_cast<unsigned>(std::stoul(text.substr(at + mark.size())));
    }
    token_ = attribute(text, version == 2 ? "guid" : "instantiationToken");
    const std::string path = folder_ + "/binaries/" + (version == 2 ? "linux64/" : "x86_64-linux/") +
                             attribute(text, "modelIdentifier") + ".so";
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) throw std::runtime_error(dlerror());
  }
  ~Library() { dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const std::string& folder() const { return folder_; }
  const std::string& token() const { return token_; }
  unsigned reference(const std::string& name) const { return references_.at(name); }
  bool has(const std::string& function) const { return dlsym(handle_, function.c_str()) != nullptr; }

  template <typename Function>
  Function* function(const std::string& name) const {
    void* symbol = dlsym(handle_, name.c_str());
    if (!symbol) throw std::runtime_error("no function " + name);
    return reinterpret_cast<Function*>(symbol);
  }

 private:
  static std::string read(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  static std::string attribute(const std::string& text, const std::string& name) {
    const std::size_t at = text.find(" " + name + "=\"");
    if (at == std::string::npos) throw std::runtime_error("no " + name);
    const std::size_t begin = at + name.size() + 3;
    return text.substr(begin, text.find('"', begin) - begin);
  }

  std::string folder_, token_;
  std::map<std::string, unsigned> references_;
  void* handle_ = nullptr;
};

}  // namespace seam::fmus
