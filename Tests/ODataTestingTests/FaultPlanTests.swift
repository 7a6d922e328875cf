import HTTPTypes
import ODataTesting
import ODataTransport
import Testing

@Suite("Fault plans")
struct FaultPlanTests {
    /// Which of `count` requests are refused.
    private func refused(_ plan: FaultPlan, count: Int) async -> [Int] {
        let transport = FaultTransport(next: FixedTransport("x"), plan: plan)
        var numbers: [Int] = []
        for number in 0..<count {
            let method: HTTPRequest.Method = number.isMultiple(of: 2) ? .get : .post
            if (try? await transport.send(.test(method, "/\(number)"), body: nil)) == nil { numbers.append(number) }
        }
        return numbers
    }

    @Test("name requests by number or by rule")
    func rules() async {
        #expect(await refused(.requests([1: .refused, 3: .responseLost]), count: 5) == [1, 3])
        #expect(await refused(.once(.refused) { $0.method == .post }, count: 5) == [1])
        #expect(await refused(FaultPlan { $0.request.method == .get ? .refused : nil }, count: 5) == [0, 2, 4])
    }

    @Test("drawn from a seed are the same in every run")
    func seeds() async {
        let first = await refused(.random(seed: 7, percent: 30, of: [.refused]), count: 100)
        let second = await refused(.random(seed: 7, percent: 30, of: [.refused]), count: 100)
        let other = await refused(.random(seed: 8, percent: 30, of: [.refused]), count: 100)
        #expect(first == second)
        #expect(first != other)
        #expect((15...45).contains(first.count))
        #expect(await refused(.random(seed: 7, percent: 0, of: [.refused]), count: 20) == [])
        #expect(await refused(.random(seed: 7, percent: 100, of: [.refused]), count: 3) == [0, 1, 2])
    }
}
