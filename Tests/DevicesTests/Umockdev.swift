import Glibc
import Testing

/// A machine of umockdev: a `/sys`, a `/dev` and a udev of our own for this process, which must
/// run under `umockdev-wrapper`. Its library is looked up at run time, so that nothing has to be
/// installed to build the tests.
final class Umockdev {
  static var isHere: Bool {
    getenv("LD_PRELOAD").map { String(cString: $0).contains("umockdev") } ?? false
  }

  private typealias Testbed = OpaquePointer
  private let library: UnsafeMutableRawPointer
  private let testbed: Testbed
  private let rootFolder: String

  init() throws {
    library = try #require(dlopen("libumockdev.so.0", RTLD_NOW))
    let new = try #require(dlsym(library, "umockdev_testbed_new"))
    testbed = try #require(unsafeBitCast(new, to: (@convention(c) () -> Testbed?).self)())
    typealias GetRoot = @convention(c) (Testbed) -> UnsafeMutablePointer<CChar>?
    let getRoot = try #require(dlsym(library, "umockdev_testbed_get_root_dir"))
    let root = try #require(unsafeBitCast(getRoot, to: GetRoot.self)(testbed))
    defer { free(root) }
    rootFolder = String(cString: root)
  }

  deinit {
    if let unref = dlsym(library, "g_object_unref") {
      unsafeBitCast(unref, to: (@convention(c) (Testbed) -> Void).self)(testbed)
    }
  }

  /// Adds the devices of a recording by `umockdev-record`; udev tells of each.
  func add(_ recording: String) throws {
    typealias Add =
      @convention(c) (Testbed, UnsafePointer<CChar>, UnsafeMutableRawPointer?) -> CInt
    let add = try #require(dlsym(library, "umockdev_testbed_add_from_string"))
    #expect(unsafeBitCast(add, to: Add.self)(testbed, recording, nil) != 0)
  }

  /// Answers the node's ioctls as they were recorded.
  func loadControls(_ node: String, file: String) throws {
    typealias Load =
      @convention(c) (
        Testbed, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?
      ) -> CInt
    let load = try #require(dlsym(library, "umockdev_testbed_load_ioctl"))
    #expect(unsafeBitCast(load, to: Load.self)(testbed, node, file, nil) != 0)
  }

  func send(_ action: String, _ path: String) throws {
    typealias Send = @convention(c) (Testbed, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
    let send = try #require(dlsym(library, "umockdev_testbed_uevent"))
    unsafeBitCast(send, to: Send.self)(testbed, path, action)
  }

  /// Writes events to the node, at the same time for all.
  func write(_ events: [Input], seconds: Int, microseconds: Int, to node: String) throws {
    typealias Descriptor = @convention(c) (Testbed, UnsafePointer<CChar>) -> CInt
    let get = try #require(dlsym(library, "umockdev_testbed_get_dev_fd"))
    let descriptor = unsafeBitCast(get, to: Descriptor.self)(testbed, node)
    try #require(descriptor >= 0)
    var data: [UInt8] = []
    for event in events {
      withUnsafeBytes(of: (seconds, microseconds)) { data += $0 }
      withUnsafeBytes(of: (event.type, event.code, event.value)) { data += $0 }
    }
    #expect(Glibc.write(descriptor, data, data.count) == data.count)
  }
}

/// Waits until a descriptor is readable; false where it is not within half a minute.
func isReadable(_ descriptor: Int32) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&request, 1, 30_000) == 1
}
