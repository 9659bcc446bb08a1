// The colours of a figure, on a light page and on a dark one.
#pragma once

#include <string>
#include <string_view>

namespace rope::plots {

enum class Ink { paper, title, text, muted, axis, grid, rule };

// Attributes of an element that is filled or stroked with it: class="rc-title" fill="#111". Without
// style sheets it is the light page's colour.
std::string filled(Ink ink);
std::string stroked(Ink ink);

// The same of a series' colour, Okabe and Ito's palette, which colour-blind readers can
// distinguish; without its yellow, which is too faint on white. Those from 6 on are the same
// colours again, with other dashes.
std::string filled(int color);
std::string stroked(int color);
// Of a line: "" for a solid one, else stroke-dasharray="…".
std::string_view dashes(int color);

// Of a zone's tint, 0 … 3.
std::string tinted(int tint);

// A <style> that turns all of them dark where the reader prefers that. Its classes start with rc-.
std::string dark_style();

}  // namespace rope::plots
