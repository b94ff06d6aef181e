import ForceTouchDevices
import ForceTouchModel
import Foundation
import Testing

/// Nodes that cannot be read.
@Suite struct EvdevErrorTests {
  @Test func aNodeThatIsNotThereMayCome() {
    let error = #expect(throws: EvdevError.self) {
      try EvdevReader(node: "/dev/input/no-such-node")
    }
    #expect(error?.code == ENOENT)
    #expect(error?.mayPass == true)
    #expect(
      error?.description == "cannot read /dev/input/no-such-node: No such file or directory")
  }

  @Test func whatIsNoEventNodeIsRefusedForGood() {
    let error = #expect(throws: EvdevError.self) { try EvdevReader(node: "/dev/null") }
    #expect(error?.mayPass == false)
    #expect(error?.description.hasSuffix("; it is no event node") == true)
  }

  @Test func aMissingPermissionSaysWhatIsNeeded() {
    let error = EvdevError(node: "/dev/input/event3", code: EACCES)
    #expect(error.mayPass)
    #expect(
      error.description
        == "cannot read /dev/input/event3: Permission denied; be root or in the group input")
  }

  @Test(arguments: [EACCES, EPERM, ENOENT, EMFILE, ENFILE, ENOMEM])
  func whatMayPassIsTriedAgain(code: Int32) {
    #expect(EvdevError(node: "/dev/input/event3", code: code).mayPass)
  }

  @Test(arguments: [ENODEV, ENOTTY, EINVAL, EIO])
  func whatWillNotPassIsGivenUp(code: Int32) {
    #expect(!EvdevError(node: "/dev/input/event3", code: code).mayPass)
  }
}
