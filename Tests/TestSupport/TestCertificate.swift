import Foundation

/// A certificate of `localhost` and 127.0.0.1, made for tests and trusted by nobody.
package enum TestCertificate {
    package static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLoNZXspyTdeGuDH
        f4A4FSLSZHoOP1uyM1M1CLZsameZJNmnLwuYt9HRf0Qs3b7BRlUUSoZBgUj+HYjv
        AQCCGdKjTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0
        hwR/AAABMB0GA1UdDgQWBBRmiilt9rh6LL9RK+cVkgxKtcg1lDAKBggqhkjOPQQD
        AgNIADBFAiEApVyl3c5II3yYdTUBF3FXSVZ1EOAkHkP6hSt+G+7fHJkCIH0KCXZb
        EPQym4uspSVM0fp+8jOkqSOdY7xAtlLReE6t
        -----END CERTIFICATE-----
        """

    package static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRf3AveABPUTHIUOE
        pt8yYvye76hAZg2U+pNF7QZmzxuhRANCAAS6DWV7Kck3Xhrgx3+AOBUi0mR6Dj9b
        sjNTNQi2bGpnmSTZpy8LmLfR0X9ELN2+wUZVFEqGQYFI/h2I7wEAghnS
        -----END PRIVATE KEY-----
        """

    /// Writes both as PEM files to `folder`, and gives their paths.
    package static func write(to folder: String) throws -> (certificate: String, key: String) {
        let paths = (folder + "/certificate.pem", folder + "/key.pem")
        try Data(certificate.utf8).write(to: URL(fileURLWithPath: paths.0))
        try Data(key.utf8).write(to: URL(fileURLWithPath: paths.1))
        return paths
    }
}
