/// A file that is not needed after it was read: to keep its bytes, a second name may be given to the file instead of
/// copying them. If ``ByteSource/digest`` is not nil, it is that of the expected bytes.
package protocol TakeableSource: ByteSource {
    /// Of the file, which has nothing but the source's bytes; nil if it may not be taken.
    var takeablePath: String? { get }
}
