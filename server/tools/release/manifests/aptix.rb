class Aptix < Formula
  desc "Applies the edits in a model's reply, all of them or none"
  homepage "https://github.com/aptix-dev/aptix"
  version "{{.Version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{.URL}}-darwin-arm64.tar.gz"
      sha256 "{{.Sum.darwin_arm64}}"
    end
    on_intel do
      url "{{.URL}}-darwin-amd64.tar.gz"
      sha256 "{{.Sum.darwin_amd64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{.URL}}-linux-arm64.tar.gz"
      sha256 "{{.Sum.linux_arm64}}"
    end
    on_intel do
      url "{{.URL}}-linux-amd64.tar.gz"
      sha256 "{{.Sum.linux_amd64}}"
    end
  end

  def install
    bin.install "aptix"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"aptix", "completion")
  end

  test do
    assert_equal "aptix #{version}", shell_output("#{bin}/aptix version").strip
  end
end
