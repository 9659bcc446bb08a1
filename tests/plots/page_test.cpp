#include "plots/page/page.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/base64.hpp"
#include "plots/stored.hpp"

namespace rope::plots::page_test {

// The text between the first `from` and the next `to`.
std::string_view between(std::string_view text, std::string_view from, std::string_view to) {
    text.remove_prefix(text.find(from) + from.size());
    return text.substr(0, text.find(to));
}

Page page() { return {.title = "title", .summary = "summary", .json = "{}"}; }

TEST(Page, HasEachPartInItsPlace) {
    const std::string html = page_html(page());
    EXPECT_EQ(between(html, "<title>", "</title>"), "title");
    EXPECT_EQ(between(html, "<noscript><p>", "</p>"), "summary");
    EXPECT_EQ(between(html, "id=\"data\">", "</script>"), "{}");
    EXPECT_EQ(between(html, "<style>", "</style>"), page_style.text);
    EXPECT_EQ(between(html, "<script>", "</script>"), page_script.text);
    for (const char* place : {"{policy}", "{title}", "{style}", "{summary}", "{data}", "{script}"})
        EXPECT_EQ(count_of(html, place),
                  count_of(page_script.text, place) + count_of(page_style.text, place))
            << place;
}

// The text must not contain an unclosed or second element.
TEST(Page, LetsNoTextBecomeMarkup) {
    const std::string hostile = "</title></script><script>alert(1)</script><!--<script> \"'&{data}";
    const std::string html =
        page_html({.title = hostile, .summary = hostile, .json = "[\"" + hostile + "\"]"});
    EXPECT_EQ(count_of(html, "<script"), count_of(page_html(page()), "<script"));
    EXPECT_EQ(count_of(html, "</script"), count_of(page_html(page()), "</script"));
    EXPECT_EQ(count_of(html, "<!--"), count_of(page_html(page()), "<!--"));
    EXPECT_EQ(between(html, "id=\"data\">", "</script>"),
              "[\"\\u003c/title>\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--"
              "\\u003cscript> \"'&{data}\"]");
    EXPECT_EQ(between(html, "<title>", "</title>"),
              "&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--&lt;script"
              "&gt; &quot;&#39;&amp;{data}");
}

// The hashes themselves are computed again in tests/page/written_page_test.mjs.
TEST(Page, AllowsOnlyItsScriptAndStyle) {
    const std::string html = page_html(page());
    const std::string_view policy =
        between(html, "http-equiv=\"Content-Security-Policy\" content=\"", "\">");
    EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'sha256-")) << policy;
    EXPECT_EQ(count_of(policy, "sha256-"), 2U);
    EXPECT_EQ(count_of(policy, "unsafe"), 0U);
    EXPECT_EQ(count_of(policy, "http"), 0U);
    EXPECT_LT(html.find("Content-Security-Policy"), html.find("<style>"));
}

TEST(Page, HasTheHashesOfItsScriptAndItsStyleInBase64) {
    const std::string html = page_html(page());
    for (const auto& [directive, asset] :
         {std::pair{"script-src '", &page_script}, {"style-src '", &page_style}}) {
        std::string bytes;
        for (std::size_t k = 0; k < 64; k += 2)
            bytes +=
                static_cast<char>(std::stoi(std::string(asset->sha256.substr(k, 2)), nullptr, 16));
        EXPECT_EQ(between(html, directive, "'"), "sha256-" + base64_of(bytes));
    }
}

// A complete report may have 1.5 MB; the page without its JSON takes a tenth.
TEST(Page, IsSmall) { EXPECT_LT(page_html(page()).size(), 150'000U); }

TEST(Page, StatesTheLicencesOfItsParts) {
    EXPECT_EQ(count_of(page_script.text, "Copyright (c) 2022 Leon Sorokin"), 1U);
    EXPECT_EQ(count_of(page_script.text, "Permission is hereby granted, free of charge"), 1U);
}

}  // namespace rope::plots::page_test
