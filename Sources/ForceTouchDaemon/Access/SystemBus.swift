import CSystemd
import Glibc

/// The system bus, asked without ever waiting for it (`sd-bus(3)`). It may come and go: then it is
/// waited for and connected to anew.
final class SystemBus {
  /// The name of the bus itself.
  static let name = "org.freedesktop.DBus"

  /// A signal to listen to. A rule chooses among what the bus sends to everybody; what a program
  /// sends to this connection alone comes as well, whatever sender the rule names, so that handlers
  /// must look at ``BusMessage/sender``.
  struct Match {
    /// As in a match rule of the bus.
    let rule: String
    let handler: (BusMessage) -> Void
  }

  private let loop: EventLoop
  private let matches: [Match]
  private let whenConnected: () -> Void
  private let whenLost: () -> Void
  private var bus: OpaquePointer?
  private var retry: BackOff?

  /// - Parameters:
  ///   - whenConnected: Called each time there is a bus; the matches are set already.
  ///   - whenLost: Called when it went away.
  init(
    loop: EventLoop, matches: [Match], whenConnected: @escaping () -> Void,
    whenLost: @escaping () -> Void
  ) throws(LoopError) {
    self.loop = loop
    self.matches = matches
    self.whenConnected = whenConnected
    self.whenLost = whenLost
    retry = try BackOff(loop: loop, priority: .session) { [weak self] in self?.connect() }
    connect()
  }

  deinit { disconnect() }

  private func connect() {
    disconnect()
    guard sd_bus_new(&bus) >= 0, start() >= 0 else {
      disconnect()
      retry?.again()
      return
    }
  }

  /// Gives a negative errno when it cannot be had. A socket that is not there yet is waited for.
  private func start() -> Int32 {
    let address =
      getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
      ?? "unix:path=/run/dbus/system_bus_socket"
    for result in [
      sd_bus_set_address(bus, address), sd_bus_set_bus_client(bus, 1),
      sd_bus_set_watch_bind(bus, 1), sd_bus_set_connected_signal(bus, 1),
      // At the end of the loop sd-bus would wait for the bus to take what is queued for it.
      sd_bus_set_close_on_exit(bus, 0),
    ] where result < 0 { return result }
    let result = sd_bus_start(bus)
    guard result >= 0 else { return result }
    let local = "sender='org.freedesktop.DBus.Local',interface='org.freedesktop.DBus.Local'"
    let own = [
      Match(rule: "type='signal',\(local),member='Connected'") { [weak self] _ in
        self?.retry?.stop()
        self?.whenConnected()
      },
      Match(rule: "type='signal',\(local),member='Disconnected'") { [weak self] _ in
        self?.whenLost()
        // Not from within a call of the bus that goes away.
        self?.retry?.again()
      },
    ]
    for match in own + matches {
      let box = Handler(match.handler)
      var slot: OpaquePointer?
      let result = sd_bus_add_match_async(
        bus, &slot, match.rule, Handler.callback, nil, box.retained())
      guard result >= 0 else {
        box.release()
        return result
      }
      Handler.leave(slot)
    }
    return loop.attach(bus, priority: .session)
  }

  private func disconnect() {
    guard let bus else { return }
    self.bus = nil
    sd_bus_detach_event(bus)
    sd_bus_close(bus)
    sd_bus_unref(bus)
  }

  /// Calls a method with texts as arguments; `reply` gets nil for an error. Nobody is started in
  /// order to answer.
  func call(
    _ destination: String, path: String, interface: String, method: String, arguments: [String],
    reply: @escaping (BusMessage?) -> Void
  ) {
    var message: OpaquePointer?
    guard sd_bus_message_new_method_call(bus, &message, destination, path, interface, method) >= 0
    else { return reply(nil) }
    defer { sd_bus_message_unref(message) }
    sd_bus_message_set_auto_start(message, 0)
    for argument in arguments {
      sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), argument)
    }
    let box = Handler { reply($0.isError ? nil : $0) }
    var slot: OpaquePointer?
    guard
      sd_bus_call_async(bus, &slot, message, Handler.callback, box.retained(), 0) >= 0
    else {
      box.release()
      return reply(nil)
    }
    Handler.leave(slot)
  }

  /// A closure that a slot of the bus keeps.
  private final class Handler {
    private let handle: (BusMessage) -> Void

    init(_ handle: @escaping (BusMessage) -> Void) { self.handle = handle }

    /// Owned by whoever has the pointer, until ``release()``.
    func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    func release() { Unmanaged.passUnretained(self).release() }

    static let callback: sd_bus_message_handler_t = { message, context, _ in
      guard let context, let message else { return 0 }
      Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        .handle(BusMessage(raw: message))
      return 0
    }

    /// The slot lives as long as the bus, or until its call is answered; its closure as long as it.
    static func leave(_ slot: OpaquePointer?) {
      sd_bus_slot_set_destroy_callback(slot) { context in
        if let context { Unmanaged<Handler>.fromOpaque(context).release() }
      }
      sd_bus_slot_set_floating(slot, 1)
      sd_bus_slot_unref(slot)
    }
  }
}

/// A message of the bus, read from its front.
struct BusMessage {
  fileprivate let raw: OpaquePointer

  var isError: Bool { sd_bus_message_is_method_error(raw, nil) > 0 }

  /// Who sent it: the bus sees to it that this is true. Who listens to some sender's signals must
  /// look, for everybody may send any signal to one recipient alone, whatever that one's matches.
  var sender: String { sd_bus_message_get_sender(raw).map { String(cString: $0) } ?? "" }

  /// The object that it comes from.
  var path: String { sd_bus_message_get_path(raw).map { String(cString: $0) } ?? "" }

  func readString() -> String? {
    var value: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(raw, CChar(UInt8(ascii: "s")), &value) > 0 else { return nil }
    return value.map { String(cString: $0) }
  }

  /// The texts and truth values of an `a{sv}`; what has another type is left out.
  func readProperties() -> [String: Property] {
    var properties: [String: Property] = [:]
    guard enter("a", "{sv}") else { return [:] }
    while enter("e", "sv") {
      if let name = readString() { properties[name] = readProperty() }
      sd_bus_message_exit_container(raw)
    }
    sd_bus_message_exit_container(raw)
    return properties
  }

  enum Property: Equatable {
    case text(String)
    case truth(Bool)
  }

  private func readProperty() -> Property? {
    if enter("v", "s") {
      defer { sd_bus_message_exit_container(raw) }
      return readString().map(Property.text)
    }
    if enter("v", "b") {
      defer { sd_bus_message_exit_container(raw) }
      var value: Int32 = 0
      let result = sd_bus_message_read_basic(raw, CChar(UInt8(ascii: "b")), &value)
      return result > 0 ? .truth(value != 0) : nil
    }
    sd_bus_message_skip(raw, "v")
    return nil
  }

  private func enter(_ kind: Character, _ contents: String) -> Bool {
    guard let kind = kind.asciiValue else { return false }
    return sd_bus_message_enter_container(raw, CChar(kind), contents) > 0
  }
}
