import Testing

@testable import Varlink

@Suite struct InterfaceTests {
  @Test func theMethodsAndTheirParametersAreKnown() throws {
    let interface = try #require(Interface(text: ExampleService.text))
    #expect(interface.name == "org.example.Counter")
    #expect(interface.text == ExampleService.text)
    #expect(
      interface.methods == [
        "Add": ["steps", "scale", "limit"], "Echo": ["text", "mood"], "Count": ["to"],
        "Watch": [], "Fail": ["reason"],
      ])
  }

  @Test func nestedFieldsAreNoParameters() throws {
    let interface = try #require(
      Interface(
        text: """
          interface a.b # ( in a comment
          method M(one: (two: int, three: (x, y)), four: [](five: ?[string]int), six: []T)->()
          """))
    #expect(interface.methods == ["M": ["one", "four", "six"]])
  }

  @Test func anInterfaceMayDeclareNothing() throws {
    let interface = try #require(Interface(text: "interface a.b"))
    #expect(interface.name == "a.b")
    #expect(interface.methods.isEmpty)
  }

  @Test(arguments: [
    "", "# interface a.b", "interface", "org.example.A", "interface a.b method",
    "interface a.b method M", "interface a.b method M()", "interface a.b method M() -> ",
    "interface a.b method M() -> (", "interface a.b method M(a: int -> ()",
    "interface a.b method M() () ", "interface a.b type T", "interface a.b error E",
    "interface a.b struct S ()", "interface a.b )",
  ])
  func whatIsNoInterfaceIsRefused(text: String) {
    #expect(Interface(text: text)?.name == nil)
  }
}
