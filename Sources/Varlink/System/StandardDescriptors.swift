internal import Glibc

/// Keeps the numbers 0 to 2 from sockets and files, in a program that was started without its standard
/// descriptors: what is meant for people would be written there. To be called before anything is
/// opened. Reading and writing them then fails, as it would have.
public func reserveStandardDescriptors() {
  for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
    // The lowest number that is free is given.
    _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
  }
}
