#include "seam/fmi/description/read_terminals.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "seam/fmi/description/notes.hpp"
#include "seam/formats/xml.hpp"

namespace seam::fmi {
namespace {

using formats::XmlElement;
using Role = TerminalPlace::Role;

class TerminalReader {
 public:
  TerminalReader(ModelDescription& description, Notes& notes) : notes_(notes) {
    for (Variable& variable : description.variables) {
      variables_.emplace(variable.name, &variable);
      for (const std::string& alias : variable.aliases) variables_.emplace(alias, &variable);
    }
  }

  /// Terminals may lie in terminals; what is inside is called outer.inner.
  void read(const XmlElement& parent, const std::string& outer) {
    for (const XmlElement& terminal : parent.children("Terminal")) {
      const std::string name = outer + std::string(terminal.attribute("name").value_or(""));
      for (const XmlElement& member : terminal.children("TerminalMemberVariable")) add(member, name);
      read(terminal, name + ".");
    }
  }

 private:
  void add(const XmlElement& member, const std::string& terminal) {
    const std::string name(member.attribute("variableName").value_or(""));
    const auto found = variables_.find(name);
    if (found == variables_.end()) {
      notes_.error(0, fmt::format("the terminal {} names the variable {}, which does not exist", in_quotes(terminal),
                                  in_quotes(name)));
      return;
    }
    const std::string_view kind = member.attribute("variableKind").value_or("");
    found->second->terminal = {terminal, kind == "inflow"    ? Role::inflow
                                         : kind == "outflow" ? Role::outflow
                                                             : Role::signal};
  }

  Notes& notes_;
  std::unordered_map<std::string, Variable*> variables_;
};

}  // namespace

void read_terminals(std::string text, ModelDescription& description, std::vector<DescriptionProblem>& found) {
  Notes notes;
  base::Problems problems;
  const auto document = formats::read_xml(std::move(text), terminals_name, problems);
  if (!document) {
    notes.error(0, fmt::format("{} cannot be read{}", terminals_name,
                               problems.empty() ? "" : ": " + problems.all().front().what));
  } else if (const auto terminals = document->root().child("Terminals")) {
    TerminalReader(description, notes).read(*terminals, "");
  }
  for (DescriptionProblem& problem : notes.take()) found.push_back(std::move(problem));
}

}  // namespace seam::fmi
