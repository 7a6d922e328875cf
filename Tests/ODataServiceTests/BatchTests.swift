import ODataService
import Testing

@Suite("Batches over HTTP")
struct BatchTests {
    private static let json = "POST $batch\nContent-Type: application/json\n"

    private func statuses(_ response: String) -> [String] {
        response.matches(of: #/"id":"([^"]*)".*?"status":(\d+)/#).map { "\($0.1) \($0.2)" }
    }

    @Test("in JSON run their requests in order, and refer to what was made before")
    func references() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(
            Self.json + """

                {"requests":[
                {"id":"a","method":"post","url":"Categories","headers":{"content-type":"application/json"},
                 "body":{"Name":"New"}},
                {"id":"b","method":"post","url":"$a/Products","headers":{"content-type":"application/json"},
                 "body":{"Name":"Inside"},"dependsOn":["a"]},
                {"id":"c","method":"get","url":"/Products?$filter=Category/Name eq 'New'&$select=ID,Name"},
                {"id":"d","method":"get","url":"http://service.test/Products/$count"}]}
                """, showing: ["Content-Type"])
        #expect(response.hasPrefix("200\nContent-Type: application/json"))
        #expect(statuses(response) == ["a 201", "b 201", "c 200", "d 200"], "\(response)")
        #expect(response.contains(#""ID":5,"Name":"Inside""#))
    }

    @Test("in JSON go on after a failure, unless the client prefers them to stop")
    func failures() async throws {
        let file = try PublishedFile()
        let body = """

            {"requests":[
            {"id":"1","method":"get","url":"Products(1)/Name"},
            {"id":"2","method":"get","url":"Products(99)"},
            {"id":"3","method":"get","url":"Products(2)/Name"},
            {"id":"4","method":"get","url":"Products(2)/Name","dependsOn":["2"]},
            {"id":"5","method":"get","url":"http://elsewhere/Products"}]}
            """
        let all = ["1 200", "2 404", "3 200", "4 424", "5 404"]
        #expect(statuses(try await file.responseText(Self.json + body)) == all)
        for (preference, expected) in [
            ("odata.continue-on-error", all), ("continue-on-error=false", ["1 200", "2 404"]),
        ] {
            let response = try await file.responseText(
                Self.json + "Prefer: \(preference)\n" + body, showing: ["Preference-Applied"])
            #expect(response.hasPrefix("200\nPreference-Applied: \(preference)\n"))
            #expect(statuses(response) == expected, "\(response)")
        }
    }

    @Test("run a request with a condition where that holds, whatever became of what it depends on")
    func conditions() async throws {
        let file = try PublishedFile()
        func request(_ id: String, _ rest: String) -> String {
            #"{"id":"\#(id)","method":"get","url":"Products(1)/Name","dependsOn":["1","10"],"# + rest + "}"
        }
        let body = """

            {"requests":[
            {"id":"1","method":"get","url":"Products(99)"},
            {"id":"10","method":"get","url":"Products(1)/Name"},
            \(request("a", #""if":"not $1/$succeeded and $10/$succeeded""#)),
            \(request("b", #""if":"$1/$succeeded""#)),
            \(request("c", #""if":"$1/$succeeded eq false or $10/$succeeded eq false""#)),
            \(request("d", #""if":"$10/Name eq 'x'""#)),
            \(request("e", #""if":"1 add""#)),
            \(request("f", #""if":"$2/$succeeded""#)),
            {"id":"g","method":"get","url":"Products(1)/Name","dependsOn":["b"]},
            {"id":"h","atomicityGroup":"x","method":"delete","url":"Products(4)","dependsOn":["1"],
             "if":"$1/$succeeded"},
            {"id":"i","atomicityGroup":"y","method":"delete","url":"Products(4)","dependsOn":["1"],
             "if":"not ($1/$succeeded)"},
            {"id":"j","method":"get","url":"http://elsewhere/Products"},
            {"id":"k","method":"get","url":"Products(1)/Name","dependsOn":["j"]},
            {"id":"l","atomicityGroup":"z","method":"delete","url":"Products(3)"},
            {"id":"m","atomicityGroup":"z","method":"delete","url":"Products(2)","dependsOn":["1"],"if":"1 add"},
            {"id":"n","atomicityGroup":"w","method":"delete","url":"Products(3)"},
            {"id":"o","atomicityGroup":"w","method":"delete","url":"Products(2)","dependsOn":["10"],
             "if":"$10/value eq 'x'"}]}
            """
        let response = try await file.responseText(Self.json + body)
        #expect(
            statuses(response) == [
                "1 404", "10 200", "a 200", "b 424", "c 200", "d 424", "e 400", "f 424", "g 424", "h 424", "i 204",
                "j 404", "k 424", "l 424", "m 400", "n 424", "o 424",
            ], "\(response)")
        #expect(try await file.responseText("GET Products/$count") == "200\n\n3")
    }

    @Test("change all of an atomicity group, or nothing")
    func atomicity() async throws {
        let file = try PublishedFile()
        func group(_ second: String) -> String {
            Self.json + """

                {"requests":[
                {"id":"1","atomicityGroup":"g","method":"post","url":"Categories",
                 "headers":{"content-type":"application/json"},"body":{"Name":"New"}},
                {"id":"2","atomicityGroup":"g","method":"post","url":"$1/Products",
                 "headers":{"content-type":"application/json"},"body":\(second)}]}
                """
        }
        let failed = try await file.responseText(group(#"{"Name":"X","Stock":-1}"#))
        #expect(statuses(failed) == ["1 424", "2 400"], "\(failed)")
        #expect(try await file.responseText("GET Categories/$count") == "200\n\n2")
        let done = try await file.responseText(group(#"{"Name":"X","Category@odata.bind":"$1"}"#))
        #expect(statuses(done) == ["1 201", "2 201"], "\(done)")
        #expect(try await file.responseText("GET Categories(3)/Products/$count") == "200\n\n1")
    }

    @Test("refuse a change set with a part whose response could not be as requested, before anything has changed")
    func unacceptable() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(
            Self.json + """

                {"requests":[
                {"id":"1","atomicityGroup":"g","method":"delete","url":"Products(4)"},
                {"id":"2","atomicityGroup":"g","method":"post","url":"Products","body":{"Name":"X"},
                 "headers":{"content-type":"application/json","accept":"text/csv"}}]}
                """)
        #expect(statuses(response) == ["1 424", "2 406"], "\(response)")
        #expect(try await file.responseText("GET Products/$count") == "200\n\n4")
    }

    @Test(
        "refuse a part of a stream or value, which would replace the whole",
        arguments: [("Photos(1)/$value", "0123456789"), ("Products(1)/Name/$value", "Tea")])
    func parts(url: String, before: String) async throws {
        let file = try PublishedFile()
        func put(_ id: String, _ complete: String, group: String = "") -> String {
            #"{"id":"\#(id)",\#(group)"method":"put","url":"\#(url)","body":"abc","#
                + #""headers":{"content-type":"text/plain","upload-complete":"\#(complete)"}}"#
        }
        let group = #""atomicityGroup":"g","#
        let refused = try await file.responseText(
            Self.json + #"\#n{"requests":[\#(put("1", "?0")),\#(put("2", "?0", group: group))]}"#)
        #expect(statuses(refused) == ["1 501", "2 501"], "\(refused)")
        #expect(try await file.responseText("GET \(url)") == "200\n\n\(before)")
        let taken = try await file.responseText(Self.json + #"\#n{"requests":[\#(put("1", "?1"))]}"#)
        #expect(statuses(taken) == ["1 204"], "\(taken)")
        #expect(try await file.responseText("GET \(url)") == "200\n\nabc")
    }

    @Test("in multipart have change sets that response as a whole")
    func multipart() async throws {
        let file = try PublishedFile()
        func batch(_ name: String) -> String {
            """
            POST $batch
            Content-Type: multipart/mixed;boundary=b1

            --b1\r
            Content-Type: multipart/mixed;boundary=c1\r
            \r
            --c1\r
            Content-Type: application/http\r
            Content-ID: 1\r
            \r
            POST /Categories HTTP/1.1\r
            Host: service.test\r
            Content-Type: application/json\r
            \r
            {"Name":"\(name)"}\r
            --c1\r
            Content-Type: application/http\r
            Content-ID: 2\r
            \r
            PATCH $1 HTTP/1.1\r
            Content-Type: application/json\r
            \r
            {"Name":"Renamed"}\r
            --c1--\r
            --b1\r
            Content-Type: application/http\r
            \r
            GET Categories/$count HTTP/1.1\r
            \r
            \r
            --b1--\r

            """
        }
        let done = try await file.responseText(batch("New"), showing: ["Content-Type"])
        #expect(done.hasPrefix("200\nContent-Type: multipart/mixed;"))
        #expect(done.matches(of: #/HTTP/1.1 (\d+)/#).map { $0.1 } == ["201", "204", "200"], "\(done)")
        #expect(done.contains("Content-ID: 1"))
        let failed = try await file.responseText(batch("Food"))
        #expect(failed.matches(of: #/HTTP/1.1 (\d+)/#).map { $0.1 } == ["409"], "\(failed)")
        #expect(try await file.responseText("GET Categories/$count") == "200\n\n3")
    }

    @Test(
        "are refused as a whole where they are not a batch",
        arguments: [
            ("Content-Type: text/plain\n\nx", 415),
            ("Content-Type: multipart/mixed\n\nx", 400),
            ("Content-Type: application/json\n\n{\"requests\":7}", 400),
            ("Content-Type: application/json\n\n{", 400),
            (
                "Content-Type: application/json\n\n"
                    + #"{"requests":[{"id":"1","method":"get","url":"Products","dependsOn":["2"]}]}"#, 400
            ),
        ])
    func refusals(rest: String, status: Int) async throws {
        let file = try PublishedFile()
        let response = try await file.responseText("POST $batch\n" + rest)
        #expect(response.hasPrefix("\(status)\n\n{\"error\":"), "\(response)")
    }

    @Test("are not repeatable themselves; a request inside that is refused says so")
    func repeatability() async throws {
        let file = try PublishedFile()
        let headers = "Repeatability-Request-ID: 1\nRepeatability-First-Sent: Sat, 21 Nov 2026 01:20:25 GMT\n"
        let body = #"\#n{"requests":[{"id":"1","method":"delete","url":"Products(4)"}]}"#
        let refused = try await file.responseText(Self.json + headers + body, showing: ["Repeatability-Result"])
        #expect(refused.hasPrefix("501\nRepeatability-Result: rejected\n"), "\(refused)")
        #expect(refused.contains("Repeatable requests are supported for the requests inside a batch"))
        #expect(try await file.responseText("GET Products/$count") == "200\n\n4")
        for group in ["", #""atomicityGroup":"g","#] {
            let inside = try await file.responseText(
                Self.json + #"\#n{"requests":[{"id":"1",\#(group)"method":"delete","url":"Products(4)","#
                    + #""headers":{"repeatability-request-id":"1"}}]}"#)
            #expect(statuses(inside) == ["1 400"], "\(inside)")
            #expect(inside.lowercased().contains(#""repeatability-result":"rejected""#), "\(inside)")
        }
    }

    @Test("hold no reads in a change set and no other batch")
    func contents() async throws {
        let file = try PublishedFile()
        let read = try await file.responseText(
            Self.json + #"\#n{"requests":[{"id":"1","atomicityGroup":"g","method":"get","url":"Products"}]}"#)
        #expect(statuses(read) == ["1 400"], "\(read)")
        let inner = try await file.responseText(
            Self.json + #"\#n{"requests":[{"id":"1","method":"post","url":"$batch","body":{"requests":[]}}]}"#)
        #expect(statuses(inner) == ["1 400"], "\(inner)")
    }

    @Test("respond without the body without its body: a read fails, a change has happened")
    func size() async throws {
        var limits = ServiceLimits()
        limits.batchSize = 420
        let file = try PublishedFile(limits: limits)
        let response = try await file.responseText(
            Self.json + """

                {"requests":[
                {"id":"a","method":"get","url":"Products"},
                {"id":"b","method":"patch","url":"Products(1)","body":{"Stock":1},
                 "headers":{"content-type":"application/json","prefer":"return=representation"}},
                {"id":"c","method":"get","url":"Products(1)/Stock/$value"}]}
                """)
        #expect(statuses(response) == ["a 413", "b 200", "c 200"], "\(response)")
    }

    @Test("and other requests keep to the limits")
    func limits() async throws {
        var limits = ServiceLimits()
        limits.batchRequests = 1
        limits.payloadSize = 20
        limits.urlLength = 30
        let file = try PublishedFile(limits: limits)
        let two =
            #"\#n{"requests":[{"id":"1","method":"get","url":"Products"},{"id":"2","method":"get","url":"Photos"}]}"#
        #expect(try await file.responseText(Self.json + two).hasPrefix("400"))
        let long = String(repeating: "x", count: 30)
        #expect(
            try await file.responseText("POST Products\nContent-Type: application/json\n\n{\"Name\":\"\(long)\"}")
                .hasPrefix("413"))
        #expect(try await file.responseText("GET Products?x=\(long)").hasPrefix("414"))
    }
}
