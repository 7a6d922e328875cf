import ODataModel

extension CSDLReader {
    /// By `Version` and `m:DataServiceVersion`, else by the namespace of the schemas.
    static func version(root: XMLTree, schemas: [XMLTree]) -> ODataVersion {
        let namespace = schemas.first?.namespace ?? ""
        if namespace.hasPrefix(XMLTree.oasis) || root.namespace.hasPrefix(XMLTree.oasis) {
            return root["Version"].flatMap { ODataVersion(header: $0) }.flatMap { $0.isLegacy ? nil : $0 } ?? .v4
        }
        let services = root.name == "DataServices" ? root : root.children(named: "DataServices").first
        if namespace.hasPrefix(XMLTree.microsoft) || services?["DataServiceVersion", in: XMLTree.metadata] != nil {
            return legacyVersion(services, namespace: namespace)
        }
        guard let version = root["Version"].flatMap({ ODataVersion(header: $0) }) else { return .v4 }
        return version.isLegacy ? legacyVersion(services, namespace: namespace) : version
    }

    /// `m:DataServiceVersion="2.0"`; the CSDL versions of 2009 are of V2 and V3, those before of V1 and V2.
    private static func legacyVersion(_ services: XMLTree?, namespace: String) -> ODataVersion {
        if let text = services?["DataServiceVersion", in: XMLTree.metadata],
            let version = ODataVersion(header: text), version.isLegacy
        {
            // Services that respond in V3 often report the lowest version that the metadata itself needs.
            guard let most = services?["MaxDataServiceVersion", in: XMLTree.metadata],
                let maximum = ODataVersion(header: most), maximum.isLegacy
            else { return version }
            return max(version, maximum)
        }
        return namespace.contains("/2009/11/") ? .v3 : .v2
    }
}

extension XMLTree {
    static let oasis = "http://docs.oasis-open.org/odata/ns/"
    static let microsoft = "http://schemas.microsoft.com/ado/20"
    /// `m:`
    static let metadata = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    /// `sap:`
    static let sap = "http://www.sap.com/Protocols/SAPData"
    /// `annotation:`, `p6:`
    static let entityFramework = "http://schemas.microsoft.com/ado/2009/02/edm/annotation"

    var place: CSDLPlace { CSDLPlace(line: line, column: column) }

    /// Whether the element is in a namespace of CSDL, or in none.
    var isCSDL: Bool {
        namespace.isEmpty || namespace.hasSuffix("/edm") || namespace.hasSuffix("/edmx")
    }

    /// The elements with this name down to `depth` levels below, in the order of the document; none inside another.
    func descendants(named name: String, depth: Int) -> [XMLTree] {
        guard depth > 0 else { return [] }
        return children.flatMap { $0.name == name ? [$0] : $0.descendants(named: name, depth: depth - 1) }
    }
}
