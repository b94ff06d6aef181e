import ForceTouchModel
import ForceTouchRecordings
import Glibc
import TestSupport
import Testing

@Suite("A file that is no recording")
struct BrokenFileTests {
  @Test("is refused in one line that says why")
  func refusals() throws {
    let nothing = "no recording of libinput record, evemu-record, evtest or getevent"
    #expect(try problem([]) == "the file is empty")
    #expect(try problem(Array("\n\r\n\n".utf8)) == "the file is empty")
    #expect(try problem(Array("To be, or not to be\n".utf8)) == nothing)
    #expect(try problem([UInt8](repeating: 0, count: 200_000)) == nothing)
    #expect(try problem([UInt8](repeating: 0x41, count: 200_000)) == nothing)
    #expect(
      try problem([0xff, 0xfe] + Array("E: ".utf16).flatMap { [UInt8($0), 0] })
        == "the text is UTF-16; convert it: iconv -f UTF-16 -t UTF-8")
    var generator = SeededGenerator(seed: 1)
    let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(try problem(noise) == nothing)
  }

  @Test("that is missing, a folder or a device is named")
  func unreadable() {
    for (path, problem) in [
      ("/nowhere/x", "cannot read it: No such file or directory"),
      ("/tmp", "cannot read it: Is a directory"),
      ("/dev/zero", "this is a device, no recording; record it first, then read the file"),
    ] {
      #expect(throws: RecordingError(path: path, problem: problem)) { try Recording(path: path) }
    }
  }

  @Test("comes through a pipe as well")
  func pipes() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let bytes = Array(Sample.getevent.utf8)
    // Less than a pipe holds.
    #expect(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    defer { close(ends[0]) }
    let contents = try Contents(path: "/dev/fd/\(ends[0])")
    #expect(contents.events == Sample.events)
    #expect(contents.description.isInferred)
  }

  @Test("with a line too long for any recording goes on behind it", arguments: [70_000, 300_000])
  func overlongLines(length: Int) throws {
    let long = "E: 0.1 0003 003a " + String(repeating: "9", count: length) + "\n"
    let contents = try Contents(Sample.evemuDescription + long + Sample.evemuEvents + long)
    #expect(contents.events == Sample.events)
    #expect(contents.skippedLines == 2)
    let last = try Contents(Sample.evemuEvents + long.dropLast())
    #expect(last.events == Sample.events)
    #expect(last.skippedLines == 1)
  }

  /// 100 MB with FORCETOUCH_LONG_TESTS=1.
  @Test("takes the memory of a small file, however large it is", arguments: Sample.all)
  func memory(format: Recording.Format, text: String) throws {
    let megabytes = getenv("FORCETOUCH_LONG_TESTS").map { String(cString: $0) } == "1" ? 100 : 4
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { line in
      ["- evdev:", "E: 1", "Event: time", "["].contains { line.drop { $0 == " " }.hasPrefix($0) }
    }
    let events = Array(lines[try #require(start)...].joined(separator: "\n").utf8)
    let file = try TemporaryFile(text)
    let chunk = Array(repeatElement(events, count: max(1, (1 << 20) / events.count)).joined())
    for _ in 0..<megabytes { try file.append(chunk) }
    let recording = try Recording(path: file.path)
    var frame = Frame()
    var count = 0
    var before = 0
    while try recording.nextFrame(into: &frame) {
      count += 1
      if count == 100 { before = residentBytes }
    }
    #expect(count == 2 + 2 * megabytes * (chunk.count / events.count))
    // The sanitizers keep what was freed, and shadows of what is used.
    guard !isSanitized else { return }
    // Other tests run beside this one and take memory too.
    #expect(residentBytes - before < 16 << 20)
  }

  private var isSanitized: Bool {
    dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  }

  private var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    fgets(&line, 128, file)
    let text = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let words = text.split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }
}
