// The picture as SVG: locations are boxes, rules between the same two are one curve with their numbers on it, and what
// the numbers mean stands below.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "nika/automata/drawing.hpp"
#include "nika/automata/layered_layout.hpp"
#include "nika/automata/printer.hpp"
#include "nika/automata/trace.hpp"

namespace nika::automata {
namespace {

constexpr double kCharacter = 7.3;  // of a monospaced font of 12 pixels, generously
constexpr double kLine = 17;
constexpr double kLeastWidth = 760;
constexpr double kLoopHeight = 30;

constexpr const char* kStyle = R"(<style>
  text { font: 12px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #222; }
  .box { fill: #f4f6f8; stroke: #556; stroke-width: 1.2; }
  .box.start { stroke-width: 2.6; }
  .box.taken { fill: #fdecea; stroke: #c62828; }
  .rule { fill: none; stroke: #889; stroke-width: 1.2; }
  .rule.taken { stroke: #c62828; stroke-width: 2.4; }
  .paper { fill: #fff; fill-opacity: 0.85; }
  .label { font-size: 11px; fill: #334; text-anchor: middle; }
  .label.taken { fill: #c62828; font-weight: bold; }
  .name { text-anchor: middle; }
  .count { font-size: 11px; text-anchor: middle; fill: #c62828; }
  .head { font-weight: bold; }
</style>
<defs>
  <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9"
    markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z" fill="#889"/></marker>
  <marker id="taken" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="11" markerHeight="11"
    markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z" fill="#c62828"/></marker>
</defs>
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

// In characters, not in bytes.
std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

double width_of(const std::string& text) { return kCharacter * static_cast<double>(length_of(text)); }

// At spaces, with what follows the first line further in.
std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && length_of(line) + 1 + length_of(word) > columns) {
      lines.push_back(line);
      line = "      " + word;
    } else {
      line += (begin == 0 ? "" : " ") + word;
    }
    begin = end + 1;
  }
  lines.push_back(line);
  return lines;
}

// All rules that lead from one location to another.
struct Arrow {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::vector<std::uint32_t> rules;
  std::vector<std::string> label;
  bool is_taken = false;
};

struct Box {
  double left, top, right, bottom;
};

double overlap(const Box& one, const Box& other) {
  const double width = std::min(one.right, other.right) - std::max(one.left, other.left);
  const double height = std::min(one.bottom, other.bottom) - std::max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}

class SvgPicture {
 public:
  SvgPicture(const Automaton& automaton, const Drawing& drawing)
      : automaton_(automaton), drawing_(drawing), marks_(marks_of(automaton, drawing.run)) {
    collect_counts();
    collect_arrows();
    for (std::uint32_t i = 0; i < automaton.locations.size(); ++i) {
      const double width = std::max(width_of(automaton.locations[i].name), width_of(count_text(i)));
      graph_.nodes.push_back({width + 20, count_text(i).empty() ? 30.0 : 44.0});
    }
    for (const Arrow& arrow : arrows_) {
      double width = 0;
      for (const std::string& line : arrow.label) width = std::max(width, width_of(line));
      graph_.edges.push_back({arrow.from, arrow.to, width});
    }
    layout_ = layout_of(graph_);
  }

  std::string text() {
    const double width = std::max(kLeastWidth, layout_.size.width);
    const auto columns = static_cast<std::size_t>((width - 48) / kCharacter);
    std::string head =
        lines_at(24, "head", drawing_.caption.empty() ? std::vector{automaton_.name} : drawing_.caption, columns);
    const double top = next_line_;
    const double room = has_loops_ ? kLoopHeight : 0;
    std::string body =
        fmt::format("<g transform=\"translate({:.1f},{:.1f})\">\n", (width - layout_.size.width) / 2, top + room);
    body += arrows() + boxes() + labels() + "</g>\n";
    std::string below = lines_at(top + room + layout_.size.height + kLine, "", legend(), columns);
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
               "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<title>{2}</title>\n",
               width, next_line_ + 8, escaped(automaton_.name)) +
           kStyle + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" + head + body + below + "</svg>\n";
  }

 private:
  void collect_counts() {
    if (drawing_.run == nullptr) return;
    first_ = drawing_.run->initial;
    last_ = first_;
    for (const Step& step : drawing_.run->steps) fire(automaton_.rules[step.rule], last_, step.count);
  }

  void collect_arrows() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;
    for (std::uint32_t i = 0; i < automaton_.rules.size(); ++i) {
      const Rule& rule = automaton_.rules[i];
      if (rule.is_stay() && marks_[i].empty()) continue;
      const std::uint32_t from = rule.source - automaton_.location_begin();
      const std::uint32_t to = rule.target - automaton_.location_begin();
      const auto [entry, is_new] = known.emplace(std::pair(from, to), arrows_.size());
      if (is_new) arrows_.push_back({from, to, {}, {}, false});
      Arrow& arrow = arrows_[entry->second];
      arrow.rules.push_back(i);
      arrow.is_taken = arrow.is_taken || !marks_[i].empty();
      has_loops_ = has_loops_ || from == to;
    }
    for (Arrow& arrow : arrows_) label(arrow);
  }

  // The numbers of the rules, and for each that the path takes a line of its own.
  void label(Arrow& arrow) const {
    std::string numbers;
    for (const std::uint32_t rule : arrow.rules) {
      if (marks_[rule].empty()) numbers += (numbers.empty() ? "" : ", ") + automaton_.rules[rule].id;
    }
    if (!numbers.empty()) arrow.label.push_back(numbers);
    for (const std::uint32_t rule : arrow.rules) {
      if (!marks_[rule].empty()) arrow.label.push_back(automaton_.rules[rule].id + ": " + text_of(marks_[rule]));
    }
  }

  std::int64_t first_in(std::uint32_t location) const {
    return first_.empty() ? 0 : first_[automaton_.location_begin() + location];
  }
  std::int64_t last_in(std::uint32_t location) const {
    return last_.empty() ? 0 : last_[automaton_.location_begin() + location];
  }

  // How many processes are there at the start and after the last step.
  std::string count_text(std::uint32_t location) const {
    const std::int64_t first = first_in(location);
    const std::int64_t last = last_in(location);
    return first == 0 && last == 0 ? "" : fmt::format("{} → {}", first, last);
  }

  bool is_taken(std::uint32_t location) const {
    return first_in(location) > 0 || std::any_of(arrows_.begin(), arrows_.end(), [&](const Arrow& arrow) {
             return arrow.is_taken && (arrow.from == location || arrow.to == location);
           });
  }

  std::string lines_at(double y, const char* kind, const std::vector<std::string>& texts, std::size_t columns) {
    std::string out;
    for (const std::string& text : texts) {
      for (const std::string& line : wrapped(text, columns)) {
        out += fmt::format("<text x=\"24\" y=\"{:.1f}\" class=\"{}\" xml:space=\"preserve\">{}</text>\n", y, kind,
                           escaped(line));
        y += kLine;
      }
    }
    next_line_ = y;
    return out;
  }

  std::string boxes() const {
    std::string out;
    for (std::uint32_t i = 0; i < automaton_.locations.size(); ++i) {
      const auto [x, y] = layout_.centres[i];
      const auto [width, height] = graph_.nodes[i];
      const std::string count = count_text(i);
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"9\" class=\"box{}{}\"/>\n",
          x - width / 2, y - height / 2, width, height, first_in(i) > 0 ? " start" : "", is_taken(i) ? " taken" : "");
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"name\">{}</text>\n", x, y + (count.empty() ? 4 : -3),
                         escaped(automaton_.locations[i].name));
      if (!count.empty()) {
        out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"count\">{}</text>\n", x, y + 13, count);
      }
    }
    return out;
  }

  // Between two points of a path the curve leaves and arrives horizontally.
  static Point on_curve(const Point& from, const Point& to, double t) {
    const double middle = (from.x + to.x) / 2;
    const double s = 1 - t;
    return {s * s * s * from.x + 3 * s * s * t * middle + 3 * s * t * t * middle + t * t * t * to.x,
            (s * s * s + 3 * s * s * t) * from.y + (3 * s * t * t + t * t * t) * to.y};
  }

  std::string curve_of(std::size_t arrow) const {
    const std::vector<Point>& path = layout_.paths[arrow];
    if (path.empty()) {
      const auto [x, y] = layout_.centres[arrows_[arrow].from];
      const double top = y - graph_.nodes[arrows_[arrow].from].height / 2;
      return fmt::format("M{:.1f},{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", x - 10, top, x - 22,
                         top - kLoopHeight, x + 22, top - kLoopHeight, x + 10, top);
    }
    std::string out = fmt::format("M{:.1f},{:.1f}", path.front().x, path.front().y);
    for (std::size_t i = 1; i < path.size(); ++i) {
      const double middle = (path[i - 1].x + path[i].x) / 2;
      out += fmt::format(" C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", middle, path[i - 1].y, middle, path[i].y,
                         path[i].x, path[i].y);
    }
    return out;
  }

  std::string arrows() const {
    std::string out;
    for (const bool taken : {false, true}) {  // those on the path above all others
      for (std::size_t i = 0; i < arrows_.size(); ++i) {
        if (arrows_[i].is_taken != taken) continue;
        out += fmt::format("<path d=\"{}\" class=\"rule{}\" marker-end=\"url(#{})\"/>\n", curve_of(i),
                           taken ? " taken" : "", taken ? "taken" : "tip");
      }
    }
    return out;
  }

  Box box_of_label(const Arrow& arrow, const Point& centre) const {
    double width = 0;
    for (const std::string& line : arrow.label) width = std::max(width, width_of(line));
    const double height = 13 * static_cast<double>(arrow.label.size());
    return {centre.x - width / 2, centre.y - height / 2, centre.x + width / 2, centre.y + height / 2};
  }

  // On the curve, where it covers the least of boxes and other labels.
  Point place_of_label(std::size_t index, const std::vector<Box>& occupied) const {
    const std::vector<Point>& path = layout_.paths[index];
    if (path.empty()) {
      const auto [x, y] = layout_.centres[arrows_[index].from];
      return {x, y - graph_.nodes[arrows_[index].from].height / 2 - kLoopHeight + 4};
    }
    Point best;
    double least = -1;
    for (std::size_t i = 1; i < path.size(); ++i) {
      for (const double t : {0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82}) {
        const Point place = on_curve(path[i - 1], path[i], t);
        const Box box = box_of_label(arrows_[index], place);
        double cost = std::abs(t - 0.5);
        for (const Box& other : occupied) cost += overlap(box, other);
        if (least >= 0 && cost >= least) continue;
        least = cost;
        best = place;
      }
    }
    return best;
  }

  std::string labels() const {
    std::string out;
    std::vector<Box> occupied;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const auto [x, y] = layout_.centres[i];
      const auto [width, height] = graph_.nodes[i];
      occupied.push_back({x - width / 2 - 4, y - height / 2 - 4, x + width / 2 + 4, y + height / 2 + 4});
    }
    for (std::size_t i = 0; i < arrows_.size(); ++i) {
      const Point place = place_of_label(i, occupied);
      const Box box = box_of_label(arrows_[i], place);
      occupied.push_back(box);
      out +=
          fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\" class=\"paper\"/>\n",
                      box.left - 1, box.top, box.right - box.left + 2, box.bottom - box.top);
      double y = box.top + 10;
      for (const std::string& line : arrows_[i].label) {
        const bool taken = line.find("step") != std::string::npos;
        out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"label{}\">{}</text>\n", place.x, y,
                           taken ? " taken" : "", escaped(line));
        y += 13;
      }
    }
    return out;
  }

  std::string told(const TraceStep& step, std::size_t number) const {
    std::string out =
        fmt::format("{:>4}. {} × rule {}: {} → {}", number, step.count, step.rule, step.source, step.target);
    for (std::size_t i = 0; i < step.changed.size(); ++i) {
      out += fmt::format("{}{} = {}", i == 0 ? ";  " : ", ", step.changed[i].first, step.changed[i].second);
    }
    return out;
  }

  std::vector<std::string> legend() const {
    std::vector<std::string> lines;
    if (drawing_.run != nullptr) {
      const Trace trace = trace_of(automaton_, *drawing_.run);
      std::size_t number = 0;
      for (const TraceStep& step : trace.steps) lines.push_back(told(step, ++number));
      if (!trace.loop.empty()) lines.emplace_back("      and then for ever:");
      for (const TraceStep& step : trace.loop) lines.push_back(told(step, ++number));
      lines.emplace_back("");
    }
    for (const Rule& rule : automaton_.rules) {
      if (rule.is_stay()) continue;
      std::string line = fmt::format("{:>4}: {} → {} when {}", rule.id, automaton_.variable_name(rule.source),
                                     automaton_.variable_name(rule.target), printed(automaton_, *rule.guard));
      for (const Update& update : rule.updates) {
        line += fmt::format("; {} := {}", automaton_.variable_name(update.variable), printed(automaton_, update.value));
      }
      lines.push_back(line);
    }
    return lines;
  }

  const Automaton& automaton_;
  const Drawing& drawing_;
  std::vector<std::vector<Mark>> marks_;
  Configuration first_, last_;
  std::vector<Arrow> arrows_;
  bool has_loops_ = false;
  Graph graph_;
  Layout layout_;
  double next_line_ = 0;
};

}  // namespace

std::string svg_drawing(const Automaton& automaton, const Drawing& drawing) {
  return SvgPicture(automaton, drawing).text();
}

}  // namespace nika::automata
