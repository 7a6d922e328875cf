import Foundation

extension SourceInputStream {
    /// A stream for `URLRequest.httpBodyStream`: reads wait, and the status is never *error*. CFNetwork on Apple
    /// platforms ends the process on that status, and FoundationNetworking on Linux takes it for the end of the body:
    /// the request succeeds with what was sent. The read that fails gives -1 instead, so that the request fails too;
    /// what failed is in `streamError`.
    ///
    /// For data tasks. FoundationNetworking takes an asynchronous stream that has no bytes for the moment for one that
    /// has ended, too.
    ///
    /// A body stream is read once: for a repetition `urlSession(_:task:needNewBodyStream:)` is to give a new one.
    public static func requestBody(_ source: any ByteSource) -> SourceInputStream {
        SourceInputStream(source, errors: .delegateOnly)
    }
}

#if canImport(Darwin)
    import CoreFoundation

    /// What CFNetwork asks of a body stream by its undocumented names. It gets the result that there are no events, and
    /// then reads in a thread that may wait. Written on Linux, where it was neither compiled nor run.
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
