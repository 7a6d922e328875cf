import ODataModel
import ODataQuery
import Testing

@testable import ODataStores

@Suite("The description of errors")
struct ODataErrorTests {
    private struct Cut: Error, CustomStringConvertible {
        var description: String { "the connection was reset" }
    }

    private static let cases: [(error: ODataError, description: String)] = [
        (ODataError(.notFound, "There is no Products(9)."), "notFound: There is no Products(9)."),
        (
            ODataError(.notFound, "There is no Products(9).").sent("GET http://h/Products(9)"),
            "notFound: There is no Products(9). [GET http://h/Products(9)]"
        ),
        (
            ODataError(.unreachable, "The service cannot be reached.", cause: Cut()).sent("GET http://h/Products"),
            "unreachable: The service cannot be reached. [GET http://h/Products] (caused by the connection was reset)"
        ),
        (
            ODataError(.unreachable, "No connection: the connection was reset.", cause: Cut()),
            "unreachable: No connection: the connection was reset."
        ),
        (
            ODataError(
                .storage, "The stream is lost.", cause: ODataError(.notFound, "There is no file.", cause: Cut())),
            "storage: The stream is lost. (caused by notFound: There is no file. (caused by the connection was reset))"
        ),
        (
            ODataError(.busy, "Try again: There is no file.", cause: ODataError(.notFound, "There is no file.")),
            "busy: Try again: There is no file."
        ),
        (ODataError(.init("outOfStock"), "No tea is left."), "outOfStock: No tea is left."),
    ]

    @Test("has the code, the message, the request and the cause, which is not repeated", arguments: cases.indices)
    func description(index: Int) {
        let (error, description) = Self.cases[index]
        #expect("\(error)" == description)
    }

    @Test(
        "The wording of a fault is one text",
        arguments: [
            (ODataError.noSuchEntity, "notFound: There is no such entity."),
            (.noStream(of: "Photos(1)"), "notFound: Photos(1) has no stream."),
            (.notAStream("Photos(1)/Name"), "badRequest: Photos(1)/Name is not a stream."),
            (.notEntities("Products(1)/Name"), "badRequest: The path Products(1)/Name does not lead to entities."),
            (.notEntities(), "badRequest: The path does not lead to entities."),
            (.notAProperty("Products(1)"), "badRequest: The path Products(1) does not lead to a property."),
            (.changedStream("\"5\""), "preconditionFailed: The stream has changed: its ETag is not \"5\"."),
            (.noResult(of: "The change"), "internalError: The change has no result."),
            (
                .rangeNotSatisfiable(length: 5),
                "rangeNotSatisfiable: The stream has 5 bytes and none in the requested range."
            ),
            (
                .mustLead("Owner"),
                "badRequest: The navigation property Owner must lead to an entity: set another reference instead of "
                    + "removing it."
            ),
        ] as [(ODataError, String)])
    func wording(error: ODataError, description: String) {
        #expect("\(error)" == description)
    }
}

extension ODataError {
    fileprivate func sent(_ request: String) -> ODataError {
        var error = self
        error.request = request
        return error
    }
}
