import Varlink

/// A service with a bit of everything, and nothing of touch.
enum ExampleService {
  static let interface = "org.example.Counter"

  static let text = """
    # Counts.
    interface org.example.Counter

    type Step (by: int, note: ?string)

    # Adds steps up.
    method Add(steps: []Step, scale: ?float, limit: ?int) -> (total: int, note: ?string)

    # Gives back what it got.
    method Echo(text: string, mood: ?(good, bad)) -> (text: string)

    # Counts up to a number. Needs `more`.
    method Count(to: int) -> (value: int)

    # Streams until the connection is closed. Needs `more`.
    method Watch() -> (value: int)

    method Fail(reason: string) -> ()

    error Failed (reason: string)

    """

  static let identity = Service.Identity(
    vendor: "Example", product: "Counter", version: "1.2", url: "https://example.org")

  static let service = Service(identity: identity, interfaces: [text])

  struct Add: Codable {
    struct Step: Codable {
      var by: Int32
      var note: String?
    }
    var steps: [Step]
    var scale: Double?
    var limit: UInt8?
  }
  struct Total: Codable, Equatable {
    var total: Int
    var note: String?
  }
  struct Echo: Codable, Equatable {
    enum Mood: String, Codable { case good, bad }
    var text: String
    var mood: Mood?
  }
  struct Count: Codable { var to: UInt32 }
  struct Value: Codable, Equatable { var value: Int }
  struct Reason: Codable, Equatable { var reason: String }

  /// Answers every call that is complete, as the owner of a connection does.
  static func answerAll(_ connection: ServerConnection) throws(ServerConnection.Failure) {
    while let call = try connection.nextCall() {
      guard service.isForProgram(call, on: connection) else { continue }
      do throws(ServiceError) {
        try answer(call, connection)
      } catch {
        connection.reply(error)
      }
    }
  }

  private static func answer(
    _ call: Call, _ connection: ServerConnection
  ) throws(ServiceError) {
    switch call.method {
    case "Add":
      let add = try call.parameters(as: Add.self)
      let total = add.steps.reduce(0) { $0 + Int($1.by) }
      connection.reply(Total(total: total, note: add.steps.last?.note))
    case "Echo":
      let echo = try call.parameters(as: Echo.self)
      connection.reply(Echo(text: echo.text))
    case "Count":
      guard call.wantsMore else { throw .expectedMore }
      let last = Int(try call.parameters(as: Count.self).to)
      for value in 1..<max(last, 1) { connection.reply(Value(value: value), continues: true) }
      connection.reply(Value(value: last))
    case "Watch":
      guard call.wantsMore else { throw .expectedMore }
      connection.reply(Value(value: 0), continues: true)
    case "Fail":
      throw ServiceError(
        "org.example.Counter.Failed",
        Reason(reason: try call.parameters(as: Reason.self).reason))
    default: throw .methodNotImplemented(call.method)
    }
  }
}
