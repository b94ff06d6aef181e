import Glibc

/// Stops the process, so that libFuzzer keeps the input, where something does not hold.
func check(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fail(what()) }
}

func fail(_ what: String) -> Never {
  tell(what)
  abort()
}

func tell(_ what: String) {
  let bytes = Array("fuzz: \(what)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Tells what an input led to, with `FUZZ_TELL=1`: for who looks at one.
func note(_ what: @autoclosure () -> String) {
  if isTelling { tell(what()) }
}

private let isTelling = getenv("FUZZ_TELL") != nil

/// What people are told of a file: one line that begins with the file's name, and if it is about a
/// place in it, with the line.
func checkProblem(_ text: String, path: String) {
  check(text.hasPrefix(path + ":"), "the place is missing: \(text)")
  check(
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
    "a message that is more than a line: \(text.debugDescription)")
}
