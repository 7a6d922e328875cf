/// A file that nobody needs when it has been read: who keeps its bytes may give the file a second name instead of copying
/// them. Where ``ByteSource/digest`` is told, it is that of the bytes as they should be.
package protocol TakeableSource: ByteSource {
    /// Of the file, which has nothing but the source's bytes; nil if it may not be taken.
    var takeablePath: String? { get }
}
