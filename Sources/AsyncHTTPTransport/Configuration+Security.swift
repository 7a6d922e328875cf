extension AsyncHTTPTransport {
    /// The certificate by which the app shows the service who it is.
    ///
    /// [RFC 8446, section 4.4.2]
    public struct ClientCertificate: Hashable, Sendable {
        /// A PEM file: the certificate, then those that vouch for it.
        public var chain: String
        /// A PEM file with the private key, not encrypted.
        public var privateKey: String

        /// The files are read with the transport's first request, not here.
        public init(chain: String, privateKey: String) {
            self.chain = chain
            self.privateKey = privateKey
        }
    }

    /// An HTTP proxy, through which requests go in a tunnel (CONNECT).
    ///
    /// [RFC 9110, section 9.3.6]
    public struct Proxy: Hashable, Sendable {
        /// A name or an address, without scheme and port: `proxy.example.org`
        public var host: String
        /// The TCP port of the proxy; there is no usual one. With one outside 1 to 65535 nothing is sent.
        public var port: Int
        /// Name and password for basic authorization at the proxy; the service does not see them.
        public var user: String?
        /// Is sent with ``user``, and not without one; nil is the empty password.
        public var password: String?

        /// A proxy that asks for no name, unless `user` gives one.
        public init(host: String, port: Int, user: String? = nil, password: String? = nil) {
            self.host = host
            self.port = port
            self.user = user
            self.password = password
        }
    }
}
