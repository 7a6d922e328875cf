/// The bytes before the sealed contents of logs and journals, so that an SQLite without the key leaves them alone.
///
/// It would take a log or a journal that it cannot read for the rest of a crash, and delete it together with the
/// transactions in it.
enum ForeignHeader {
    /// A log's header with a correct checksum and a version that no SQLite has: it refuses to open the database.
    static let log: [UInt8] = {
        let words: [UInt32] = [0x377F_0683, 0x4F44_6174, 4096, 0, 0, 0]
        var (first, second) = (UInt32(0), UInt32(0))
        for index in stride(from: 0, to: words.count, by: 2) {
            // The magic number says that the words of the checksum are big-endian.
            first &+= words[index] &+ second
            second &+= words[index + 1] &+ first
        }
        return (words + [first, second]).flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }()

    /// A journal that begins with a zero byte is not rolled back.
    static let journal = [0] + Array("OData journal".utf8) + [0, 1]
}
