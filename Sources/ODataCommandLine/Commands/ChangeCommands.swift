import ArgumentParser
import HTTPTypes

struct PostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post",
        abstract: "Create an entity at a service, or call an action.",
        discussion: """
            Prints the response unchanged. Fetches a token against forged requests (CSRF) where the service \
            requires one. With --file the body is a stream: of a new media entity.

            EXAMPLE:
              odata post http://127.0.0.1:8080/Inspections \\
                '{"Result":"passed","WorkOrder@odata.bind":"WorkOrders(5002)"}'
              odata post http://127.0.0.1:8080/Photos --file valve.png
            """)

    @OptionGroup var change: ChangeArguments
    @OptionGroup var body: ChangeBody

    func run() async throws { try await change.send(.post, body) }
}

struct PatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "patch",
        abstract: "Change properties of an entity at a service; the others stay.",
        discussion: """
            EXAMPLE:
              odata patch 'http://127.0.0.1:8080/Photos(9000)' \\
                '{"Caption":"Valve"}' --if-match '*'
            """)

    @OptionGroup var change: ChangeArguments
    @OptionGroup var body: ChangeBody

    func run() async throws { try await change.send(.patch, body) }
}

struct PutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Replace an entity, a property or a stream at a service.",
        discussion: """
            EXAMPLE:
              odata put 'http://127.0.0.1:8080/Photos(9000)/$value' \\
                --file valve.png --if-match '*'
            """)

    @OptionGroup var change: ChangeArguments
    @OptionGroup var body: ChangeBody

    func run() async throws { try await change.send(.put, body) }
}

struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an entity, an entity reference or the value of a property at a service.",
        discussion: """
            EXAMPLE:
              odata delete 'http://127.0.0.1:8080/Photos(9005)' --if-match '*'
            """)

    @OptionGroup var change: ChangeArguments

    func run() async throws { try await change.send(.delete, nil) }
}
