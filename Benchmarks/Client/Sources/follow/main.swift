import ForceTouch
import Glibc

// A program that shows previews and does nothing else: what is measured of it is the library. It
// follows one press to its end and prints how many events that had.

final class Follower: PreviewingDelegate, SourceView {
  let size: ViewSize? = nil
  let coverage = SourceCoverage.everything(touchscreens: true)
  var eventCount = 0
  var isDone = false

  func previewingContext(
    _ context: PreviewingContext, previewForLocation location: ViewPoint
  ) -> String? { "preview" }

  func previewingContext(_ context: PreviewingContext, present preview: String) {}
  func previewingContext(_ context: PreviewingContext, commit preview: String) { isDone = true }
  func previewingContext(_ context: PreviewingContext, dismiss preview: String) { isDone = true }

  func previewingContext(_ context: PreviewingContext, didHear event: PreviewingEvent) {
    eventCount += 1
  }
}

let client = try ForceTouchClient()
let follower = Follower()
let context = client.registerForPreviewing(with: follower, sourceView: follower)
var wait = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
while !follower.isDone, poll(&wait, 1, -1) >= 0 { client.dispatch() }
print(follower.eventCount)
