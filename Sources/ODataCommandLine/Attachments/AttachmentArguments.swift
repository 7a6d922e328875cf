import ArgumentParser
import OData

/// Which entity's attachments a command reads or edits, in a store or at a service.
struct AttachmentArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A store's folder, the root URL of a service, or the URL of a layer: …/FeatureServer/0.",
            valueName: "url-or-store"),
        completion: .directory)
    var source: String
    @Argument(help: ArgumentHelp("The entity, as Set(key); or the object id of a feature.", valueName: "entity"))
    var entity: String
    @OptionGroup var kind: AttachmentKindOptions
    @Option(help: "The folder that keeps the edits of a service's attachments; made if needed.", completion: .directory)
    var edits: String?
    @OptionGroup var quiet: QuietOption
    @OptionGroup var key: KeyFileOption
    @OptionGroup(title: "Media") var media: MediaOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    var isService: Bool { source.hasPrefix("http://") || source.hasPrefix("https://") }

    /// Whether it is a layer of an ArcGIS feature service: its features are called by their object ids.
    private var isLayer: Bool {
        let names = source.split(separator: "/").suffix(2)
        return isService && names.first?.lowercased() == "featureserver" && names.last.flatMap { Int($0) } != nil
    }

    func validate() throws {
        if isService, source.split(separator: "/").last?.lowercased() == "featureserver" {
            throw ValidationError("Name the layer of the feature service, as in …/FeatureServer/0.")
        }
        guard !isLayer || kind.navigation == nil else {
            throw ValidationError("Features have attachments of their own: leave out --navigation.")
        }
        guard isService == (edits != nil) else {
            throw ValidationError(
                isService
                    ? "The edits of a service's attachments need a folder: give --edits <folder>."
                    : "A store keeps the edits itself: leave out --edits.")
        }
    }

    /// Runs `body` with the manager of the entity's attachments.
    ///
    /// - Parameter needsEntity: Whether the entity must be there, as far as that is known without network.
    func withManager<Result>(
        needsEntity: Bool = false, _ body: (AttachmentManager) async throws -> Result
    ) async throws -> Result {
        guard let edits else {
            return try await StoreSession.offline(source, key: key, media: media) { store in
                if needsEntity { try await checkEntity(in: store) }
                let owner = AttachmentOwner(store: store, backEnd: try await kind.backEnd(of: store, entity: entity))
                return try await body(owner.manager(for: entity))
            }
        }
        guard !isLayer else {
            return try await connection.withLayer(source) { layer in
                let owner = try AttachmentOwner(folder: edits, key: key.read(), backEnd: layer)
                return try await body(owner.manager(for: entity))
            }
        }
        return try await connection.withStore(source) { store in
            let backEnd = try await kind.backEnd(of: store, entity: entity)
            let owner = try AttachmentOwner(folder: edits, key: key.read(), backEnd: backEnd)
            return try await body(owner.manager(for: entity))
        }
    }
}

extension AttachmentArguments {
    /// Checks that the store has the entity: an attachment of another entity could not be posted.
    private func checkEntity(in store: OfflineStore) async throws {
        do { _ = try await store.read(ReadRequest(BoundQuery(path: try store.path(entity)))) } catch let error
            as ODataError where error.code == .notFound
        {
            throw Failure(
                "\(entity) is not in the store: nothing can be attached to it.",
                advice: "'odata store download \(source)' fetches what the defining queries hold.")
        }
    }

    /// Shows on a terminal that the command waits for the service, if there is a service.
    func waiting<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard isService else { return try await body() }
        return try await ProgressLines(host: try AbsoluteURL(typed: source).authority).waiting(body)
    }
}

/// Which back end stores the attachments of an entity.
struct AttachmentKindOptions: ParsableArguments {
    @Option(
        help: """
            The navigation property to media entities; without it attachments are stream properties, or behind the \
            only such navigation property of a type without them.
            """)
    var navigation: String?
    @Option(
        help: "The stream or binary property with the content of the entities behind --navigation, as in CAP services.")
    var contentProperty: String?
    @Option(help: "The string property of the entities with the attachment's name.") var nameProperty: String?
    @Option(help: "The integer property of the entities with the size in bytes.") var sizeProperty: String?
    @Option(help: "The property of the entities with the keywords: strings, or one with commas.")
    var keywordsProperty: String?

    func validate() throws {
        let names = [contentProperty, nameProperty, sizeProperty, keywordsProperty]
        guard navigation != nil || names.allSatisfy({ $0 == nil }) else {
            throw ValidationError("The names of properties are of the entities behind --navigation: give it too.")
        }
    }

    func backEnd(of store: any ODataStore, entity: String) async throws -> any AttachmentBackEnd {
        let model = try await store.model()
        guard let navigation = navigation ?? Self.onlyMedia(of: entity, in: model) else {
            try Self.checkStreams(of: entity, in: model)
            return StreamPropertyBackEnd(store: store)
        }
        if let contentProperty {
            return AttachmentSetBackEnd(
                store: store, navigation: navigation,
                names: .init(
                    content: contentProperty, name: nameProperty ?? "filename", size: sizeProperty,
                    keywords: keywordsProperty))
        }
        return MediaEntityBackEnd(
            store: store, navigation: navigation,
            names: .init(name: nameProperty, size: sizeProperty, keywords: keywordsProperty))
    }
}

extension AttachmentKindOptions {
    /// - Throws: ``Failure`` if an entity of the model has no stream properties, and names what attachments may be behind.
    private static func checkStreams(of entity: String, in model: EdmModel) throws {
        guard case .entity(let name)? = try? QueryParser(model: model).path(entity).valueType,
            let type = model.structuredType(named: name), !type.properties.contains(where: \.isStream)
        else { return }
        let others = type.navigationProperties.filter(\.isCollection).map(\.name)
        throw Failure(
            "\(type.name.name) has no stream properties, which attachments would be.",
            advice: others.isEmpty
                ? "It has no attachments: name an entity that media entities or streams belong to."
                : "Give --navigation with what they are behind: \(others.joined(separator: ", ")).")
    }

    /// The only navigation property that can lead to attachments; nil also if the model does not declare the entity's
    /// type.
    private static func onlyMedia(of entity: String, in model: EdmModel) -> String? {
        guard case .entity(let name)? = try? QueryParser(model: model).path(entity).valueType,
            let type = model.structuredType(named: name), !type.properties.contains(where: \.isStream)
        else { return nil }
        let media = type.navigationProperties.filter { navigation in
            navigation.isCollection && model.structuredType(named: navigation.target)?.hasStream == true
        }
        return media.count == 1 ? media[0].name : nil
    }
}

/// One of the attachments of ``AttachmentArguments``.
struct AttachmentIDArgument: ParsableArguments {
    @Argument(help: "The attachment's id, as 'odata attachments list' shows it.") var id: EntityAttachment.ID
}
