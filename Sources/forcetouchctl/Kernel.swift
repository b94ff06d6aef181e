import Glibc

/// The kernel that runs (`uname(2)`).
struct Kernel {
  let release: String
  let architecture: String

  init() {
    var name = utsname()
    uname(&name)
    release = Self.text(name.release)
    architecture = Self.text(name.machine)
  }

  private static func text<Bytes>(_ bytes: Bytes) -> String {
    withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
