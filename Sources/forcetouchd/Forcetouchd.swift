import ForceTouchDaemon
import Glibc

/// The daemon's command line.
@main
enum Forcetouchd {
  static let usage = """
    usage: forcetouchd [--socket PATH] [--replay FILE…] [--config FILE] [--state FOLDER] [--verbose]

      --socket PATH   serve here instead of /run/forcetouchd/socket
      --replay FILE…  serve recordings as devices, once, instead of live devices
      --config FILE   read this instead of /etc/forcetouchd/forcetouchd.yaml
      --state FOLDER  keep profiles here instead of in /var/lib/forcetouchd
      --verbose       say more
      --version       print the version
      --help          print this

    SIGHUP: read settings, device table and profiles again. SIGTERM: close all that is open, and end.

    """

  /// A command line that cannot be understood.
  struct UsageError: Error {
    let text: String
  }

  static func main() {
    do throws(UsageError) {
      guard let options = try parse(CommandLine.arguments.dropFirst()) else { return }
      do throws(Daemon.Failure) {
        exit(try Daemon.run(options))
      } catch {
        fail(error.description, status: 1)
      }
    } catch {
      fail(error.text + "; see forcetouchd --help", status: 2)
    }
  }

  /// nil: the answer was printed already.
  static func parse(_ arguments: ArraySlice<String>) throws(UsageError) -> Daemon.Options? {
    var options = Daemon.Options()
    var arguments = arguments
    func value(of option: String, _ arguments: inout ArraySlice<String>) throws(UsageError)
      -> String
    {
      guard let value = arguments.popFirst(), !value.isEmpty else {
        throw UsageError(text: "\(option) needs an argument")
      }
      return value
    }
    while let word = arguments.popFirst() {
      // `--option=value` is `--option value`.
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let argument = word.hasPrefix("--") ? String(parts[0]) : word
      if argument != word {
        guard ["--socket", "--config", "--state", "--replay"].contains(argument) else {
          throw UsageError(text: "what is \(word)?")
        }
        arguments = [String(parts[1])] + arguments
      }
      switch argument {
      case "--socket": options.socketPath = try value(of: argument, &arguments)
      case "--config": options.settingsPath = try value(of: argument, &arguments)
      case "--state": options.statePath = try value(of: argument, &arguments)
      case "--verbose": options.isVerbose = true
      case "--replay":
        options.recordings.append(try value(of: argument, &arguments))
        while let file = arguments.first, !file.hasPrefix("--") {
          options.recordings.append(file)
          arguments.removeFirst()
        }
      case "--version":
        print("forcetouchd \(Daemon.version)")
        return nil
      case "--help", "-h":
        print(usage, terminator: "")
        return nil
      default: throw UsageError(text: "what is \(argument)?")
      }
    }
    return options
  }

  /// Ends with one line on stderr.
  static func fail(_ text: String, status: Int32) -> Never {
    let line = Array("forcetouchd: \(text)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(status)
  }
}
