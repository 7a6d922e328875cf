import Foundation

extension SourceInputStream {
    /// A stream for `URLRequest.httpBodyStream`: reads wait, and the status is never *error*, which ends the process
    /// inside CFNetwork. What failed is in `streamError`; the read that fails gives -1, so that the request fails too.
    ///
    /// FoundationNetworking on Linux sends what such a stream gives, but takes a read that fails for the end: ask for
    /// `streamError` after the request has been answered. It does so with the status *error*, too, and it takes an
    /// asynchronous stream without bytes for one that has ended.
    ///
    /// A body stream is read once: for a repetition `urlSession(_:task:needNewBodyStream:)` is to give a new one.
    public static func requestBody(_ source: any ByteSource) -> SourceInputStream {
        SourceInputStream(source, errors: .delegateOnly)
    }
}

#if canImport(Darwin)
    import CoreFoundation

    /// What CFNetwork asks of a body stream by its undocumented names. It is told that there are no events, and then
    /// reads in a thread that may wait. Written on Linux, where it was neither compiled nor run.
    extension SourceInputStream {
        @objc(_scheduleInCFRunLoop:forMode:)
        func scheduleInCoreFoundation(_ loop: CFRunLoop, forMode mode: CFString) {}

        @objc(_unscheduleFromCFRunLoop:forMode:)
        func unscheduleFromCoreFoundation(_ loop: CFRunLoop, forMode mode: CFString) {}

        @objc(_setCFClientFlags:callback:context:)
        func setCoreFoundationClient(
            _ flags: CFOptionFlags, callback: CFReadStreamClientCallBack?,
            context: UnsafeMutablePointer<CFStreamClientContext>?
        ) -> Bool { false }
    }
#endif
