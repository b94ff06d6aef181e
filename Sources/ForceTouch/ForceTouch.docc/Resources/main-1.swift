import ForceTouch
import Glibc

let client = try ForceTouchClient()
let controller = MessageController(client: client)
controller.pointerMoved(toX: 10, y: 50)

var wait = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
while poll(&wait, 1, -1) >= 0 {
  client.dispatch()
}
