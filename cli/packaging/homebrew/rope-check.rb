# Untried: a formula for a tap, once there is a release. OWNER and the sum of its archive are to be
# filled in; `brew install --build-from-source ./rope-check.rb` and `brew test rope-check` try it.
class RopeCheck < Formula
  desc "Verifies rotary position embeddings against a truth exact at every position"
  homepage "https://github.com/OWNER/rope-check"
  url "https://github.com/OWNER/rope-check/archive/refs/tags/v0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "fmt"
  depends_on "gmp"
  depends_on "mpfr"
  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "rope-check #{version}", shell_output("#{bin}/rope-check --version")
    system bin/"rope-check", "verify", "--dim", "64", "--context", "64"
    # a table by another base is told so
    system bin/"rope-check", "export", "--dim", "64", "--positions", "0:64", "-o", "golden.npz"
    shell_output("#{bin}/rope-check compare golden.npz --dim 64 --base 500000", 1)
  end
end
