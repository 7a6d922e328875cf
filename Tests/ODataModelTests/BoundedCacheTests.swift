import ODataModel
import Testing

@Suite("Bounded cache")
struct BoundedCacheTests {
    @Test("keeps what was used lately, and never more than twice the limit")
    func bound() {
        let cache = BoundedCache<Int, String>(limit: 4)
        for number in 0..<100 {
            cache.insert("\(number)", for: number)
            #expect(cache[number] == "\(number)")
            #expect(cache[0] == "0")
        }
        let kept = (0..<100).filter { cache[$0] != nil }
        #expect(kept.count <= 8)
        #expect(kept.contains(0))
        #expect(cache[100] == nil)
    }

    @Test("takes another value for a recent key without discarding others")
    func recentKey() {
        let cache = BoundedCache<Int, Int>(limit: 2)
        cache.insert(1, for: 1)
        cache.insert(2, for: 2)
        for number in 3..<10 { cache.insert(number, for: 2) }
        #expect(cache[1] == 1)
        #expect(cache[2] == 9)
    }

    @Test("is used by many at the same time")
    func parallel() async {
        let cache = BoundedCache<Int, Int>(limit: 8)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<1000 {
                        let key = (number * 7 + task) % 40
                        if let value = cache[key] { #expect(value == key) }
                        cache.insert(key, for: key)
                    }
                }
            }
        }
        #expect((0..<40).count { cache[$0] != nil } <= 16)
    }

    @Test("gives the value that was inserted last")
    func replacement() {
        let cache = BoundedCache<String, Int>(limit: 2)
        for number in 0..<10 {
            cache.insert(number, for: "a")
            cache.insert(number, for: "\(number)")
            #expect(cache["a"] == number)
        }
    }
}
