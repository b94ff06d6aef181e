import Glibc
import TestSupport
import Testing
import Varlink

/// PyPI's `varlink` as the client.
@Suite(.enabled(if: Python.interpreter != nil, Python.missing))
struct PythonClientTests {
  private let server: RunningServer

  init() throws { server = try RunningServer() }

  /// The lines that a script prints; `client` is connected, `counter` is the interface.
  private func run(_ script: String) throws -> [String] {
    try Python.run(
      """
      import json, sys, varlink
      client = varlink.Client.new_with_address("unix:" + sys.argv[1])
      counter = client.open("org.example.Counter")
      \(script)
      """, server.path)
  }

  @Test func itReadsWhatTheServiceIs() throws {
    #expect(
      try run(
        """
        info = client.open("org.varlink.service").GetInfo()
        for key in sorted(info): print(key, info[key])
        """) == [
          "interfaces ['org.varlink.service', 'org.example.Counter']", "product Counter",
          "url https://example.org", "vendor Example", "version 1.2",
        ])
  }

  @Test func itParsesEveryDescription() throws {
    #expect(
      try run(
        """
        for name in ["org.varlink.service", "org.example.Counter"]:
          interface = client.get_interface(name)
          print(interface.name, *sorted(interface.members))
        """) == [
          "org.varlink.service ExpectedMore GetInfo GetInterfaceDescription InterfaceNotFound "
            + "InvalidParameter MethodNotFound MethodNotImplemented PermissionDenied",
          "org.example.Counter Add Count Echo Fail Failed Step Watch",
        ])
  }

  @Test func itCallsAndGetsReplies() throws {
    #expect(
      try run(
        """
        print(counter.Add([{"by": 2}, {"by": 3, "note": "ö"}]))
        print(counter.Echo("a \\"quoted\\" text\\n"))
        """) == [
          "{'total': 5, 'note': 'ö'}", #"{'text': 'a "quoted" text\n'}"#,
        ])
  }

  @Test func itGetsTypedErrors() throws {
    #expect(
      try run(
        """
        def attempt(call):
          try: print("no error", call())
          except varlink.VarlinkError as error: print(error.error(), json.dumps(error.parameters()))
        attempt(lambda: counter.Fail("rain"))
        attempt(lambda: counter.Count(3))
        attempt(lambda: counter.Add([], 1.5, -1))
        attempt(lambda: client.open("org.varlink.service").GetInterfaceDescription("a.b"))
        print(counter.Echo("after"))
        """) == [
          #"org.example.Counter.Failed {"reason": "rain"}"#,
          "org.varlink.service.ExpectedMore {}",
          #"org.varlink.service.InvalidParameter {"parameter": "limit"}"#,
          #"org.varlink.service.InterfaceNotFound {"interface": "a.b"}"#, "{'text': 'after'}",
        ])
  }

  @Test func itFollowsAStreamToItsEnd() throws {
    #expect(
      try run(
        """
        print([reply["value"] for reply in counter.Count(4, _more=True)])
        print(counter.Echo("after"))
        """) == ["[1, 2, 3, 4]", "{'text': 'after'}"])
  }

  @Test func aOnewayCallGetsNoReply() throws {
    #expect(
      try run(
        """
        print(counter.Echo("nobody hears", _oneway=True))
        print(counter.Fail("nobody hears", _oneway=True))
        print(counter.Echo("heard"))
        """) == ["None", "None", "{'text': 'heard'}"])
  }

  /// More groups than fit at first; only root can give itself groups.
  @Test(.enabled(if: geteuid() == 0, "needs root, to be in a hundred groups"))
  func allGroupsOfAPeerAreKnown() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("socket")
    chmod(folder.path("."), 0o711)
    let listener = try ListeningSocket(path: path)
    let output = try Python.run(
      """
      import os, socket, sys
      os.setgroups(range(5000, 5100)); os.setgid(4999); os.setuid(4998)
      socket.socket(socket.AF_UNIX).connect(sys.argv[1])
      """, path)
    #expect(output == [])
    guard case .connection(let connection) = listener.accept() else {
      Issue.record("nobody connected")
      return
    }
    #expect(connection.peer.userID == 4998)
    #expect(connection.peer.groupID == 4999)
    #expect(connection.peer.groups == Array(5000..<5100))
  }
}
