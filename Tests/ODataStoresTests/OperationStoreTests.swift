import ODataModel
import ODataQuery
import ODataStores
import Testing

@Suite("Operations in Swift")
struct OperationStoreTests {
    @Test("the model has the overloads and their imports")
    func model() async throws {
        let shop = try await OperationShop()
        #expect(shop.model.operations(named: EdmQualifiedName("Shop.Top")).count == 2)
        #expect(shop.model.operationImport(named: "Top")?.entitySet == "Products")
        #expect(shop.model.operationImport(named: "Clear")?.kind == .action)
        let again = try await shop.store.model()
        #expect(again === shop.model)
    }

    @Test("each overload has its own handler")
    func overloads() async throws {
        let shop = try await OperationShop()
        var query = BoundQuery(path: ResourcePath(root: .operation(try shop.call("Top"))))
        #expect(try await shop.names(query) == ["Coffee", "Tea"])
        query.path = ResourcePath(root: .operation(try shop.call("Top", [("count", .integer(3))])))
        #expect(try await shop.names(query) == ["Coffee", "Tea", "Bread"])
    }

    @Test("query options apply to the result of a function")
    func options() async throws {
        let shop = try await OperationShop()
        let parser = QueryParser(model: shop.model)
        let top = ResourcePath(root: .operation(try shop.call("Top", [("count", .integer(3))])))
        for (text, names) in [
            ("$filter=Price lt 5", ["Tea", "Bread"]), ("$orderby=Name", ["Bread", "Coffee", "Tea"]),
            ("$skip=1", ["Tea", "Bread"]), ("$top=1", ["Coffee"]), ("$top=2&$filter=Price gt 3", ["Coffee", "Tea"]),
        ] {
            let query = BoundQuery(path: top, options: try parser.query("Products?" + text).options)
            #expect(try await shop.names(query) == names, "\(text)")
        }
        let count = try await shop.store.read(ReadRequest(BoundQuery(path: top.appending(.count))))
        guard case .count(3) = count.body else {
            Issue.record("\(count.body)")
            return
        }
    }

    @Test("streams that a function shows come with those of its members that are chosen")
    func streams() async throws {
        let shop = try await OperationShop()
        let top = ResourcePath(root: .operation(try shop.call("Top", [("count", .integer(3))])))
        let options = try QueryParser(model: shop.model).query("Products?$filter=Price lt 5").options
        let query = BoundQuery(path: top, options: options)
        let pictures = try await shop.store.entities(query).map { $0.streams["Picture"]?.content }
        #expect(pictures == [[1, 2], nil])
    }

    @Test("members come in the order that the function gave")
    func members() async throws {
        let shop = try await OperationShop()
        let path = ResourcePath(shop.products).appending(.operation(try shop.call("Pick")))
        #expect(try await shop.names(BoundQuery(path: path)) == ["Bread", "Tea"])
    }

    @Test("an entity that a function makes is given as it is")
    func entity() async throws {
        let shop = try await OperationShop()
        let sample = ResourcePath(root: .operation(try shop.call("Sample")))
        #expect(try await shop.names(BoundQuery(path: sample)) == ["Sample"])
        #expect(try await shop.store.entities(BoundQuery(path: ResourcePath(shop.products))).count == 4)
        let price = try #require(shop.products.type.property(named: "Price"))
        let result = try await shop.store.read(ReadRequest(BoundQuery(path: sample.appending(.property(price)))))
        guard case .value(.integer(1), _) = result.body else {
            Issue.record("\(result.body)")
            return
        }
    }

    @Test("a bound function sees its entity; there must be one")
    func bound() async throws {
        let shop = try await OperationShop()
        let call = try shop.call("WithTax", [("rate", .decimal(EdmDecimal("0.5") ?? .init(0)))])
        let path = ResourcePath(shop.products, key: EntityKey("ID", .integer(1))).appending(.operation(call))
        let result = try await shop.store.read(ReadRequest(BoundQuery(path: path)))
        guard case .value(.double(6), .primitive(.double)) = result.body else {
            Issue.record("\(result.body)")
            return
        }
        let none = ResourcePath(shop.products, key: EntityKey("ID", .integer(9))).appending(.operation(call))
        let error = await #expect(throws: ODataError.self) {
            _ = try await shop.store.read(ReadRequest(BoundQuery(path: none)))
        }
        #expect(error?.code == .notFound)
    }

    @Test("collections of values are cut and counted")
    func values() async throws {
        let shop = try await OperationShop()
        var query = BoundQuery(path: ResourcePath(root: .operation(try shop.call("Words"))))
        query.options.skip = 1
        query.options.top = 1
        query.options.count = true
        let result = try await shop.store.read(ReadRequest(query))
        guard case .value(.collection([.string("b")]), _) = result.body else {
            Issue.record("\(result.body)")
            return
        }
        #expect(result.count == 3)
    }

    @Test("an action changes, and shows what it gives with the options asked for")
    func action() async throws {
        let shop = try await OperationShop()
        let path = ResourcePath(shop.products, key: EntityKey("ID", .integer(1)))
            .appending(.operation(try shop.call("Raise", parameters: ["by"])))
        var request = ChangeRequest(path, .call(arguments: ["by": .integer(6)]))
        request.resultOptions = try QueryParser(model: shop.model).query("Products?$select=Price").options
        let result = try await shop.store.change(request)
        guard case .entities(let reader)? = result.called?.body, let block = try await reader.next() else {
            Issue.record("no entity")
            return
        }
        #expect(EntityAssembler(shape: reader.shape).entities(in: block).first?.properties == ["Price": .integer(10)])
    }

    @Test("arguments are checked before the handler gets them")
    func arguments() async throws {
        let shop = try await OperationShop()
        let path = ResourcePath(shop.products, key: EntityKey("ID", .integer(1)))
            .appending(.operation(try shop.call("Raise", parameters: ["by"])))
        for arguments: EdmComplexValue in [[:], ["by": .null], ["by": .string("x")], ["by": .integer(1), "no": .null]] {
            let error = await #expect(throws: ODataError.self) {
                _ = try await shop.store.change(ChangeRequest(path, .call(arguments: arguments)))
            }
            #expect(error?.code == .badRequest, "\(arguments)")
        }
    }

    @Test("actions of a change set happen with the rest of it, or not at all")
    func changeSet() async throws {
        let shop = try await OperationShop()
        let tea = ResourcePath(shop.products, key: EntityKey("ID", .integer(1)))
        let raise = ChangeRequest(
            tea.appending(.operation(try shop.call("Raise", parameters: ["by"]))), .call(arguments: ["by": .integer(1)])
        )
        let bad = ChangeRequest(ResourcePath(shop.products, key: EntityKey("ID", .integer(99))), .delete)
        let error = await #expect(throws: ODataError.self) { _ = try await shop.store.changeSet([raise, bad]) }
        #expect(error?.requestIndex == 1)
        #expect(try await shop.store.entities(BoundQuery(path: tea)).first?["Price"] == .integer(4))
        let good = ChangeRequest(ResourcePath(shop.products, key: EntityKey("ID", .integer(4))), .delete)
        #expect(try await shop.store.changeSet([raise, good]).count == 2)
        #expect(try await shop.store.entities(BoundQuery(path: tea)).first?["Price"] == .integer(5))
    }

    @Test("an action that cannot be undone is refused in a change set with others")
    func performed() async throws {
        let shop = try await OperationShop()
        let clear = ChangeRequest(ResourcePath(root: .operation(try shop.call("Clear"))), .call(arguments: [:]))
        let delete = ChangeRequest(ResourcePath(shop.products, key: EntityKey("ID", .integer(4))), .delete)
        let error = await #expect(throws: ODataError.self) { _ = try await shop.store.changeSet([clear, delete]) }
        #expect(error?.code == .notImplemented)
        _ = try await shop.store.change(clear)
        #expect(try await shop.names(BoundQuery(path: ResourcePath(shop.products))).isEmpty)
    }

    private func raise(_ shop: OperationShop, _ key: Int64 = 1, by: Int64 = 1, id: String?) throws -> ChangeRequest {
        let path = ResourcePath(shop.products, key: EntityKey("ID", .integer(key)))
            .appending(.operation(try shop.call("Raise", parameters: ["by"])))
        var request = ChangeRequest(path, .call(arguments: ["by": .integer(by)]))
        request.repeatability = id.map { RepeatabilityHeaders(requestID: $0, firstSent: "x") }
        return request
    }

    private func prices(_ shop: OperationShop) async throws -> String {
        let entities = try await shop.store.entities(BoundQuery(path: ResourcePath(shop.products)))
        return entities.compactMap { $0["Price"]?.lexical }.joined(separator: ",")
    }

    @Test("a call with an id is carried out once, alone, at the same time and in change sets")
    func repeated() async throws {
        let shop = try await OperationShop()
        let store = shop.store
        let first = try raise(shop, id: "a")
        async let one = store.change(first)
        async let other = store.change(first)
        let results = try await [one, other, store.change(first)]
        #expect(results.allSatisfy { $0.outcome == .called && $0.isRepeatable && $0.called != nil })
        #expect(try await prices(shop) == "5,7,3,0")
        let set = [first, try raise(shop, 2, id: "b"), try raise(shop, 3, id: nil)]
        for _ in 0..<2 {
            #expect(try await store.changeSet(set).map(\.isRepeatable) == [true, true, false])
        }
        #expect(try await prices(shop) == "5,8,5,0")
        let misused = try raise(shop, by: 2, id: "a")
        let error = await #expect(throws: ODataError.self) { _ = try await store.changeSet([set[2], misused]) }
        #expect(error?.code == .badRequest && error?.requestIndex == 1)
        #expect(try await prices(shop) == "5,8,5,0")
    }

    @Test("what failed is not remembered: the call is carried out when it comes again")
    func failed() async throws {
        let shop = try await OperationShop()
        let call = try raise(shop, id: "a")
        let missing = ChangeRequest(ResourcePath(shop.products, key: EntityKey("ID", .integer(99))), .delete)
        await #expect(throws: ODataError.self) { _ = try await shop.store.changeSet([call, missing]) }
        #expect(try await prices(shop) == "4,7,3,0")
        _ = try await shop.store.change(call)
        #expect(try await prices(shop) == "5,7,3,0")
    }

    @Test("a value that an action gave is given again, and members are read again")
    func recordedResults() async throws {
        let shop = try await OperationShop()
        for (name, expected) in [("Count", "4"), ("Cheap", "Air,Bread")] {
            var call = ChangeRequest(ResourcePath(root: .operation(try shop.call(name))), .call(arguments: [:]))
            call.repeatability = RepeatabilityHeaders(requestID: name, firstSent: "x")
            for _ in 0..<2 {
                let body = try await shop.store.change(call).called?.body
                switch body {
                case .value(let value, _): #expect(value.lexical == expected)
                case .entities(let reader):
                    let block = try #require(try await reader.next())
                    let entities = EntityAssembler(shape: reader.shape).entities(in: block)
                    #expect(entities.compactMap { $0["Name"]?.lexical }.joined(separator: ",") == expected)
                default: Issue.record("\(name): \(body as Any)")
                }
                let new = EntityPayload(["Name": .string("New"), "Price": .integer(9)])
                _ = try await shop.store.change(ChangeRequest(ResourcePath(shop.products), .create(new)))
            }
        }
    }

    @Test("a call with an id is refused where nothing of it is remembered")
    func notRemembered() async throws {
        let shop = try await OperationShop()
        var clear = ChangeRequest(ResourcePath(root: .operation(try shop.call("Clear"))), .call(arguments: [:]))
        clear.repeatability = RepeatabilityHeaders(requestID: "a", firstSent: "x")
        let error = await #expect(throws: ODataError.self) { _ = try await shop.store.change(clear) }
        #expect(error?.code == .notImplemented)
        #expect(try await shop.names(BoundQuery(path: ResourcePath(shop.products))).count == 4)
        let actions = ["Raise": true, "Clear": false]
        for (name, isRecorded) in actions {
            let action = try #require(shop.model.operations(named: EdmQualifiedName("Shop.\(name)")).first)
            #expect(shop.store.recognizesRepeatedCalls(of: action) == isRecorded)
        }
    }
}
