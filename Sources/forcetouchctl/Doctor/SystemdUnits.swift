import CSystemd
import ForceTouchDoctor
import ForceTouchModel
import Glibc

/// Units, as systemd tells of them on the bus (`org.freedesktop.systemd1(5)`).
enum SystemdUnits {
  /// Why nothing is known of them.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// How long each answer may take.
  private static let patience = Interval.milliseconds(3000)

  static func ask(_ names: [String]) -> Result<[ServiceReport.Unit], Failure> {
    var bus: OpaquePointer?
    guard sd_bus_new(&bus) >= 0 else { return .failure(Failure(description: "out of memory")) }
    defer { sd_bus_close_unref(bus) }
    let address =
      getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
      ?? "unix:path=/run/dbus/system_bus_socket"
    for result in [
      sd_bus_set_address(bus, address), sd_bus_set_bus_client(bus, 1),
      sd_bus_start(bus), waitUntilReady(bus),
    ] where result < 0 { return .failure(failure(-result)) }
    var units: [ServiceReport.Unit] = []
    for name in names {
      let (code, properties) = properties(of: name, bus)
      guard let properties else { return .failure(failure(code)) }
      units.append(ServiceReport.Unit(name, properties))
    }
    return .success(units)
  }

  /// sd-bus itself would wait for a minute and a half until the bus lets us in.
  private static func waitUntilReady(_ bus: OpaquePointer?) -> Int32 {
    let end = Timestamp.now() + patience
    while true {
      let isReady = sd_bus_is_ready(bus)
      if isReady != 0 { return isReady }
      let result = sd_bus_process(bus, nil)
      if result < 0 { return result }
      let rest = end - .now()
      if rest <= .zero { return -ETIMEDOUT }
      if result == 0 { sd_bus_wait(bus, UInt64(rest.microseconds)) }
    }
  }

  private static func failure(_ code: Int32) -> Failure {
    sd_booted() > 0
      ? Failure(description: "systemd does not answer: \(String(cString: strerror(code)))")
      : Failure(description: "systemd does not run here")
  }

  /// The texts among all properties of a unit; nil and errno when there is no answer.
  private static func properties(
    of unit: String, _ bus: OpaquePointer?
  ) -> (Int32, [String: String]?) {
    var path: UnsafeMutablePointer<CChar>?
    var call: OpaquePointer?
    var reply: OpaquePointer?
    defer {
      free(path)
      sd_bus_message_unref(call)
      sd_bus_message_unref(reply)
    }
    var result = sd_bus_path_encode("/org/freedesktop/systemd1/unit", unit, &path)
    guard result >= 0 else { return (-result, nil) }
    result = sd_bus_message_new_method_call(
      bus, &call, "org.freedesktop.systemd1", path, "org.freedesktop.DBus.Properties", "GetAll")
    guard result >= 0 else { return (-result, nil) }
    // Of all its interfaces.
    sd_bus_message_append_basic(call, CChar(UInt8(ascii: "s")), "")
    result = sd_bus_call(bus, call, UInt64(patience.microseconds), nil, &reply)
    guard result >= 0 else { return (-result, nil) }
    return (0, texts(reply))
  }

  /// The texts of an `a{sv}`.
  private static func texts(_ message: OpaquePointer?) -> [String: String] {
    func enter(_ kind: Character, _ contents: String) -> Bool {
      sd_bus_message_enter_container(message, CChar(kind.asciiValue ?? 0), contents) > 0
    }
    func text() -> String? {
      var value: UnsafePointer<CChar>?
      guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &value) > 0 else {
        return nil
      }
      return value.map { String(cString: $0) }
    }
    var texts: [String: String] = [:]
    guard enter("a", "{sv}") else { return [:] }
    while enter("e", "sv") {
      if let name = text() {
        if enter("v", "s") {
          texts[name] = text()
          sd_bus_message_exit_container(message)
        } else {
          sd_bus_message_skip(message, "v")
        }
      }
      sd_bus_message_exit_container(message)
    }
    return texts
  }
}

extension ServiceReport.Unit {
  fileprivate init(_ name: String, _ properties: [String: String]) {
    self.init(
      name: name, load: properties["LoadState"] ?? "", active: properties["ActiveState"] ?? "",
      sub: properties["SubState"] ?? "", file: properties["UnitFileState"] ?? "",
      result: properties["Result"] ?? "success")
  }
}
