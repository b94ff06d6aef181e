import ForceTouchModel
import ForceTouchProtocol
import Glibc
import Varlink

/// Asks the daemon how the kernel describes its devices, beside the stream, which is busy, and without
/// waiting for the answers. A daemon that cannot say leaves them out.
final class DescriptionQuestions {
  private let connection: ClientConnection?
  /// The devices that were asked for, oldest first.
  private var asked: [String] = []
  private var isOver = false

  init(socket: String) {
    connection = try? ClientConnection(path: socket)
  }

  /// For `poll(2)`; -1, which it leaves out, when nothing comes any more.
  var descriptor: Int32 { isOver ? -1 : connection?.descriptor ?? -1 }

  var awaited: Int16 { Int16(connection?.wantsOutput == true ? POLLIN | POLLOUT : POLLIN) }

  /// Whether some are still to come.
  var areAwaited: Bool { !isOver && !asked.isEmpty }

  func ask(_ device: String) {
    guard
      (try? connection?.call(
        MonitorMessage.interface + ".Describe", MonitorMessage.DescribeCall(device: device))) != nil
    else { return }
    asked.append(device)
    connection?.flush()
  }

  /// Those that came.
  func answers() -> [(device: String, description: DeviceDescription)] {
    guard let connection else { return [] }
    connection.flush()
    connection.receive()
    var answers: [(String, DeviceDescription)] = []
    do throws(ClientError) {
      while let reply = try connection.nextReply(), !asked.isEmpty {
        let device = asked.removeFirst()
        guard reply.error == nil else { continue }
        answers.append((device, try reply.decoded(as: DescriptionMessage.self).description))
      }
    } catch {
      isOver = true
    }
    return answers
  }
}
