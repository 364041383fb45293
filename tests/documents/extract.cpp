// SPDX-License-Identifier: MIT
// Writes the code of the documents and of the manual as C++, for documents_gl_test.cpp.
//   extract OUTPUT FILE...    // Markdown, and headers of functions
#include <cstddef>
#include <fstream>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Lines = std::vector<std::string>;

// The tables of the generated file, as they grow.
struct Output {
  std::string includes;
  std::string programs;  ///< a namespace for each
  std::string program_rows;
  std::string snippets;  ///< a struct for each
  std::string snippet_rows;
  int program_count = 0;
  int snippet_count = 0;
};

Lines lines_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Lines lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string quoted(const std::string& text) { return "R\"~(" + text + ")~\""; }

// The numbers of a comment such as "// 0 1 2, 0 1 2", with spaces between them; "" for words.
std::string numbers_of(std::string comment) {
  static const std::regex numbers(R"( *-?[\d.]+([, ]+-?[\d.]+)* *)");
  if (!std::regex_match(comment, numbers)) return "";
  for (char& c : comment) {
    if (c == ',') c = ' ';
  }
  return comment;
}

// Statements, or an expression whose value is checked, as is that of `Tensor y = f(x);`. The
// operands are members, so that examples can declare the same names.
void add_snippet(Output& output, const std::string& place, const std::string& text) {
  static const std::regex one_line(R"((?:(?:Tensor|auto) \w+ = )?([^;\n]*?);? *(?://(.*))?)");
  const std::string name = "Snippet" + std::to_string(output.snippet_count++);
  std::smatch match;
  std::string code = text + (text.ends_with('\n') ? "" : ";\n");
  const bool is_statement = text.starts_with("auto [") || text.starts_with("for (");
  if (!is_statement && std::regex_match(text, match, one_line)) {
    code = "Check{" + quoted(numbers_of(match[2])) + "}, (" + match[1].str() + ");\n";
  }
  output.snippets += "struct " + name + " : Operands {\nvoid run() {\n" + code + "}\n};\n\n";
  output.snippet_rows +=
      "  {" + quoted(place) + ", " + quoted(text) + ", &run_with<" + name + ">},\n";
}

void add_program(Output& output, const std::string& place, const Lines& code,
                 const std::string& printed) {
  const std::string name = "program_" + std::to_string(output.program_count++);
  output.programs += "namespace " + name + " {\n";
  for (const std::string& line : code) {
    if (line.starts_with("#include")) {
      output.includes += line + "\n";
    } else {
      output.programs += (line == "int main() {" ? "void run() {" : line) + "\n";
    }
  }
  output.programs += "}  // namespace " + name + "\n\n";
  output.program_rows +=
      "  {" + quoted(place) + ", &" + name + "::run, " + quoted(printed) + "},\n";
}

// ---- Documents

// The lines between ``` and ```; `line` is at the first fence, then after the last one.
Lines take_block(const Lines& lines, std::size_t& line) {
  Lines block;
  for (++line; line < lines.size() && lines[line] != "```"; ++line) block.push_back(lines[line]);
  ++line;
  return block;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void add_blocks(Output& output, const std::string& path, const Lines& lines) {
  for (std::size_t line = 0; line < lines.size();) {
    if (!lines[line].starts_with("```")) {
      ++line;
      continue;
    }
    const bool is_code = lines[line] == "```cpp";
    const std::string place = path + ":" + std::to_string(line + 1);
    const Lines code = take_block(lines, line);
    if (!is_code) continue;
    if (joined(code).find("int main()") == std::string::npos) {
      add_snippet(output, place, joined(code));
      continue;
    }
    const bool prints = line < lines.size() && lines[line] == "```";
    add_program(output, place, code, prints ? joined(take_block(lines, line)) : "");
  }
}

// "| a | b \| c |" as "a" and "b | c".
Lines cells_of(const std::string& row) {
  Lines cells(1);
  for (std::size_t k = 1; k < row.size(); ++k) {
    if (row[k] == '\\' && k + 1 < row.size() && row[k + 1] == '|') {
      cells.back() += row[++k];
    } else if (row[k] == '|') {
      cells.emplace_back();
    } else {
      cells.back() += row[k];
    }
  }
  return cells;
}

Lines spans_of(const std::string& text) {
  static const std::regex span("`([^`]+)`");
  Lines spans;
  for (std::sregex_iterator it(text.begin(), text.end(), span), end; it != end; ++it) {
    spans.push_back((*it)[1]);
  }
  return spans;
}

void add_phrases(Output& output, const std::string& path, const Lines& lines) {
  static const std::regex header(R"([\w/]+\.hpp)");
  bool is_inside = false;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (lines[line].starts_with("## ")) is_inside = lines[line] == "## NumPy's phrases";
    if (!is_inside || !lines[line].starts_with("| ") || lines[line].starts_with("| NumPy"))
      continue;
    const Lines cells = cells_of(lines[line]);
    if (cells.size() < 2) throw std::runtime_error("a row of one cell: " + lines[line]);
    const std::string place = path + ":" + std::to_string(line + 1);
    const bool is_same = cells[1].find("the same") != std::string::npos;
    const Lines spans = spans_of(cells[is_same ? 0 : 1]);
    if (spans.empty()) throw std::runtime_error("a row without code: " + lines[line]);
    for (const std::string& code : spans) {
      if (std::regex_match(code, header)) {
        output.includes += "#include <" + code + ">\n";
      } else {
        add_snippet(output, place, code);
      }
    }
  }
}

void add_document(Output& output, const std::string& path) {
  const Lines lines = lines_of(path);
  add_blocks(output, path, lines);
  add_phrases(output, path, lines);
}

// ---- The manual

// Examples in a comment: indented lines after an empty one, and calls between backquotes.
void add_comment(Output& output, const std::string& place, const Lines& comment) {
  std::string text;
  std::string example;
  for (std::size_t k = 0; k < comment.size(); ++k) {
    const bool continues = k > 0 && (comment[k - 1].empty() || !example.empty());
    if (comment[k].starts_with("  ") && continues) {
      example += (example.empty() ? "" : "\n") + comment[k].substr(2);
    } else {
      text += comment[k] + " ";
    }
  }
  if (!example.empty()) add_snippet(output, place, example);
  for (const std::string& span : spans_of(text)) {
    const bool is_call = span.find('(') != std::string::npos;
    if (!is_call || span.starts_with("np.") || span.find("...") != std::string::npos) continue;
    add_snippet(output, place, span);
  }
}

void add_header(Output& output, const std::string& path) {
  static const std::regex comment_line("///( ?)(.*)");
  static const std::regex type("(class|struct) .*");
  const Lines lines = lines_of(path);
  const std::string name = path.substr(path.rfind('/') + 1);
  Lines comment;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    std::smatch match;
    if (std::regex_match(lines[line], match, comment_line)) {
      comment.push_back(match[2]);
    } else if (!comment.empty()) {
      if (!std::regex_match(lines[line], type))
        add_comment(output, name + ":" + std::to_string(line), comment);
      comment.clear();
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 3) throw std::runtime_error("usage: extract OUTPUT FILE...");
    Output output;
    for (int k = 2; k < argc; ++k) {
      const std::string path = argv[k];
      if (path.ends_with(".md")) {
        add_document(output, path);
      } else {
        add_header(output, path);
      }
    }
    std::ofstream file(argv[1]);
    file << output.includes << "\n"
         << output.programs << "const Program programs[] = {\n"
         << output.program_rows << "};\n\n"
         << output.snippets << "const Snippet snippets[] = {\n"
         << output.snippet_rows << "};\n";
    if (!file.flush()) throw std::runtime_error(std::string("cannot write ") + argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "extract: " << error.what() << "\n";
    return 1;
  }
}
