// What verify and compare draw of the reports that they print.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cli/command/judging.hpp"
#include "rope/checks/error_map.hpp"
#include "rope/diagnose/dump_evidence.hpp"

namespace rope::cli {

// The figure and the page that --output asks for, from the pass that makes the reports.
class Drawing {
  public:
    Drawing(std::size_t cases, Drawn drawn, const Arguments& arguments);

    // Case k is judged with these options next: what is drawn of it goes here.
    void collect(std::size_t k, SessionOptions& options);

    // A figure or a page. Throws InputError where a figure has no rows to show.
    void deliver(std::span<const Case> cases, const io::Results& results,
                 const Target& target) const;

  private:
    void deliver_figure(std::span<const Case> cases, const io::Results& results,
                        const Target& target) const;
    void deliver_page(std::span<const Case> cases, const io::Results& results,
                      const Target& target) const;

    const Arguments& arguments_;
    Drawn drawn_;
    std::vector<ErrorMap> maps_, cells_;  // of the figure, of the page
    std::vector<DumpEvidence> evidence_;
};

}  // namespace rope::cli
