import CSystemd
import Glibc

/// Who sits at which seat, now: the user of the seat's active session, as long as that session is
/// one of a user (a greeter is nobody), is not locked, and login1 is there to say so.
///
/// Which session is active comes from logind's files (`sd-login(3)`), its class and whether it is
/// locked from the bus (`org.freedesktop.login1(5)`). What is not known yet counts as nobody.
final class Seats {
  private static let loginName = "org.freedesktop.login1"
  private static let sessionInterface = "org.freedesktop.login1.Session"

  /// A session as the bus describes it.
  private struct Session {
    /// Its class is `user`: no greeter, no lock screen, no background service.
    var isOfUser = false
    var isLocked = true

    mutating func take(_ properties: [String: BusMessage.Property]) {
      if case .text(let value)? = properties["Class"] { isOfUser = value == "user" }
      if case .truth(let value)? = properties["LockedHint"] { isLocked = value }
    }
  }

  private enum Knowledge {
    case asked
    case known(Session)
  }

  private let loop: EventLoop
  private let log: Log
  private let willLeave: (_ seat: String) -> Void
  private let didChange: () -> Void
  private var bus: SystemBus?
  private var monitor: OpaquePointer?
  private var readiness: ReadinessSource?
  /// What is known of sessions, by object path on the bus.
  private var sessions: [String: Knowledge] = [:]
  /// The connection that is login1, by the name that no other ever has; nil: it is not there.
  private var login: String?
  private var askAgain: BackOff?
  private var users: [String: UInt32] = [:]

  /// - Parameters:
  ///   - willLeave: Called when the user of a seat, or nobody, is about to be somebody else;
  ///     ``user(of:)`` still gives the old one.
  ///   - didChange: Called when ``user(of:)`` gives something else for some seat.
  init(
    loop: EventLoop, log: Log, willLeave: @escaping (_ seat: String) -> Void,
    didChange: @escaping () -> Void
  ) throws(LoopError) {
    self.loop = loop
    self.log = log
    self.willLeave = willLeave
    self.didChange = didChange
    askAgain = try BackOff(loop: loop, priority: .session) { [weak self] in self?.update() }
    bus = try SystemBus(
      loop: loop,
      matches: [
        .init(
          rule: "type='signal',sender='\(SystemBus.name)',interface='\(SystemBus.name)',"
            + "member='NameOwnerChanged',arg0='\(Self.loginName)'"
        ) { [weak self] in self?.ownerChanged($0) },
        .init(
          rule: "type='signal',sender='\(Self.loginName)',member='PropertiesChanged',"
            + "interface='org.freedesktop.DBus.Properties',"
            + "path_namespace='/org/freedesktop/login1/session'"
        ) { [weak self] in self?.propertiesChanged($0) },
      ], whenConnected: { [weak self] in self?.askForLogin() },
      whenLost: { [weak self] in self?.setLogin(nil) })
  }

  deinit { sd_login_monitor_unref(monitor) }

  /// The user who sits at a seat; nil: nobody that we may serve.
  func user(of seat: String) -> UInt32? { users[seat] }

  /// Every seat at which somebody sits.
  var all: [(seat: String, user: UInt32)] {
    users.map { ($0.key, $0.value) }.sorted { $0.seat < $1.seat }
  }

  // MARK: login1

  private func askForLogin() {
    bus?.call(
      SystemBus.name, path: "/org/freedesktop/DBus", interface: SystemBus.name,
      method: "GetNameOwner", arguments: [Self.loginName]
    ) { [weak self] reply in self?.setLogin(reply?.readString()) }
  }

  private func ownerChanged(_ message: BusMessage) {
    guard message.sender == SystemBus.name, message.readString() == Self.loginName,
      message.readString() != nil, let owner = message.readString()
    else { return }
    // Another owner knows other sessions, even if their names are the same.
    setLogin(nil)
    if !owner.isEmpty { setLogin(owner) }
  }

  private func setLogin(_ connection: String?) {
    guard connection != login else { return }
    login = connection
    sessions.removeAll()
    askAgain?.stop()
    if connection != nil { watchSeats() }
    update()
  }

  private func propertiesChanged(_ message: BusMessage) {
    // Of one that is asked for, the answer that is on its way says it too.
    guard message.sender == login, message.readString() == Self.sessionInterface,
      case .known(var session)? = sessions[message.path]
    else { return }
    session.take(message.readProperties())
    sessions[message.path] = .known(session)
    update()
  }

  private func ask(_ login: String, for path: String) {
    sessions[path] = .asked
    bus?.call(
      login, path: path, interface: "org.freedesktop.DBus.Properties", method: "GetAll",
      arguments: [Self.sessionInterface]
    ) { [weak self] reply in
      // What another login1 said, or could not, is about sessions of its own.
      guard let self, self.login == login else { return }
      guard let reply else {
        sessions[path] = nil
        askAgain?.again()
        return
      }
      askAgain?.stop()
      var session = Session()
      session.take(reply.readProperties())
      sessions[path] = .known(session)
      update()
    }
  }

  // MARK: Seats

  /// logind's files may not be there before logind is.
  private func watchSeats() {
    guard monitor == nil, sd_login_monitor_new("seat", &monitor) >= 0 else { return }
    readiness = try? loop.watch(sd_login_monitor_get_fd(monitor), priority: .session) {
      [weak self] _ in
      guard let self else { return }
      sd_login_monitor_flush(monitor)
      update()
    }
  }

  /// Looks again who sits where, asks for what is not known, and tells what is different.
  private func update() {
    var present: [String: UInt32] = [:]
    for (seat, path, user) in login == nil ? [] : Self.activeSessions() {
      switch sessions[path] {
      case nil: if let login { ask(login, for: path) }
      case .known(let session)? where session.isOfUser && !session.isLocked: present[seat] = user
      case .known, .asked: break
      }
    }
    guard present != users else { return }
    // From nobody too: a press that began under a greeter or a lock is not the next user's.
    for seat in Set(users.keys).union(present.keys) where present[seat] != users[seat] {
      willLeave(seat)
    }
    users = present
    log.write(.debug, .daemon, "at the seats: \(all.map { "\($0.seat) uid \($0.user)" })")
    didChange()
  }

  private static func activeSessions() -> [(seat: String, path: String, user: UInt32)] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_get_seats(&names)
    defer { free(names) }
    var active: [(String, String, UInt32)] = []
    for index in 0..<Int(max(0, count)) {
      guard let name = names?[index] else { continue }
      defer { free(name) }
      var session: UnsafeMutablePointer<CChar>?
      var user = uid_t()
      guard sd_seat_get_active(name, &session, &user) >= 0 else { continue }
      defer { free(session) }
      var path: UnsafeMutablePointer<CChar>?
      guard sd_bus_path_encode("/org/freedesktop/login1/session", session, &path) >= 0, let path
      else { continue }
      defer { free(path) }
      active.append((String(cString: name), String(cString: path), user))
    }
    return active
  }
}
