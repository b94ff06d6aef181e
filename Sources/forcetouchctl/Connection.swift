import ForceTouchProtocol
import Glibc
import Varlink
import YAML

/// The option that all commands have that talk to the daemon.
let socketOption = (
  name: "--socket", value: Optional("PATH"),
  meaning: "talk to the daemon here instead of \(SocketPath.standard)"
)
let jsonOption = (
  name: "--json", value: String?.none, meaning: "print the objects of the protocol, one a line"
)

/// A connection to the daemon whose errors are sentences.
struct Connection {
  private let client: Client
  private let path: String

  init(_ arguments: Arguments) throws(CommandError) {
    path = arguments.socket
    do throws(ClientError) {
      client = try Client(path: path)
    } catch {
      throw .failed("\(error); \(Self.hint(path))")
    }
  }

  /// What to do when nobody is there.
  static func hint(_ path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else {
      // The kernel says the same of a socket that is missing and of its folder.
      let code = errno
      let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
      let isMissing = !folder.isEmpty && access(folder, F_OK) != 0
      return code == EACCES
        ? "this user may not look there" : start(path, in: isMissing ? folder : nil)
    }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK where access(path, W_OK) != 0:
      return "this user may not connect; its mode should be 0666"
    case S_IFSOCK: return start(path)
    case S_IFDIR: return "it is a folder; the socket is a file in one"
    default: return "it is no socket"
    }
  }

  /// - Parameter missing: The folder of the socket, where there is none.
  private static func start(_ path: String, in missing: String? = nil) -> String {
    guard path != SocketPath.standard else {
      return "is forcetouchd running? (systemctl status forcetouchd.socket; "
        + "to start it: sudo systemctl start forcetouchd.socket)"
    }
    let folder = missing.map { "mkdir -p \($0); " } ?? ""
    return "is forcetouchd running? (\(folder)forcetouchd --socket \(path))"
  }

  func call(
    _ method: String, _ parameters: some Encodable = Empty()
  ) throws(CommandError) -> Reply {
    do throws(ClientError) {
      return try client.call(method, parameters)
    } catch {
      throw explain(error)
    }
  }

  /// Calls a method that streams and gives each reply to `take`, until the last or until `take`
  /// wants no more.
  func stream(
    _ method: String, _ parameters: some Encodable,
    take: (Reply) throws(CommandError) -> Bool
  ) throws(CommandError) {
    try open(method, parameters)
    while true {
      let reply: Reply
      do throws(ClientError) {
        reply = try client.nextReply()
      } catch {
        throw explain(error)
      }
      guard reply.continues, try take(reply) else { return }
    }
  }

  // MARK: For whoever waits for other things too

  /// Readable when there is something to ``received()``.
  var descriptor: Int32 { client.descriptor }

  /// Calls a method that streams; its replies are ``received()``.
  func open(_ method: String, _ parameters: some Encodable) throws(CommandError) {
    do throws(ClientError) {
      try client.stream(method, parameters)
    } catch {
      throw explain(error)
    }
  }

  /// Waits until something comes and gives the replies that are whole by then.
  func received() throws(CommandError) -> [Reply] {
    do throws(ClientError) {
      try client.receive()
      var replies: [Reply] = []
      while let reply = try client.bufferedReply() { replies.append(reply) }
      return replies
    } catch {
      throw explain(error)
    }
  }

  /// All devices that the daemon has.
  func devices() throws(CommandError) -> [DeviceMessage] {
    try decode(
      call(DevicesMessage.interface + ".List"), as: DevicesMessage.ListReply.self
    ).devices
  }

  /// What the user calls a device: by its name on the wire, its node, or its name.
  func device(named text: String) throws(CommandError) -> DeviceMessage {
    let devices = try devices()
    // A node may be named by any of its links, such as those in /dev/input/by-id.
    let node = text.hasPrefix("/") ? LiveNode.resolve(text) : text
    let matches = devices.filter { $0.device == text || $0.node == node || $0.name == text }
    guard let match = matches.first else {
      let names = devices.flatMap { [$0.device, $0.name] + ($0.node.map { [$0] } ?? []) }
      throw .failed(
        "there is no device \(text)" + (didYouMean(text, names) ?? "; see forcetouchctl devices"))
    }
    guard matches.count == 1 else {
      let names = matches.map(\.device).joined(separator: ", ")
      throw .failed("\(text) may be any of \(names); say which")
    }
    return match
  }

  private func explain(_ error: ClientError) -> CommandError {
    let name: String
    switch error {
    case .service(let service, _): name = service
    case .connectionLost: return .lost("\(error); \(Self.hint(path))")
    case .malformedReply: return .lost("\(error); is that forcetouchd's socket?")
    case .cannotConnect, .cannotEncode: return .failed("\(error)")
    }
    if name.hasSuffix(".PermissionDenied"),
      let denied = error.parameters(as: PermissionDenied.self)
    {
      let group = "use sudo, or `sudo usermod -aG forcetouch $USER` and log in again"
      let hint = name == PermissionDenied.error(of: MonitorMessage.interface) ? group : "use sudo"
      return .refused("this needs \(denied.needed): \(hint)")
    }
    if name.hasSuffix(".NoSuchDevice") { return .failed("the device is gone") }
    if let refusal = error.parameters(as: Refusal.self) { return .failed(refusal.reason) }
    return .failed(
      "the daemon refuses this (\(error)); it may have another version: see forcetouchctl status")
  }
}

/// The errors of the daemon that say in a sentence what is wrong.
private struct Refusal: Decodable {
  var reason: String
}

func decode<Value: Decodable>(_ reply: Reply, as type: Value.Type) throws(CommandError) -> Value {
  do throws(ClientError) {
    return try reply.decoded(as: type)
  } catch {
    throw .failed("\(error); does the daemon have another version?")
  }
}
