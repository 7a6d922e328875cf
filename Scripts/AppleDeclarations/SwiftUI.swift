public import CoreGraphics
@_exported public import Foundation
public import UniformTypeIdentifiers

// The declarations of SwiftUI that the package's files and its example use, as Apple documents them: signatures alone.

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError() }
}

public struct EmptyView: PrimitiveView {
    public init() {}
}

public struct TupleView<Content>: PrimitiveView {}
public struct ConditionalContent<First, Second>: PrimitiveView {}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { fatalError() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { fatalError() }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        fatalError()
    }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { fatalError() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { fatalError() }
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
        fatalError()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
        fatalError()
    }
}

public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() { fatalError() }
}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { fatalError() }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
    public var projectedValue: Binding<Value> { fatalError() }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError()
    }
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
    public init(wrappedValue: Value) { fatalError() }
    public init(initialValue: Value) { fatalError() }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
    public var projectedValue: Binding<Value> { fatalError() }
}

public struct EnvironmentValues {
    public init() {}
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { fatalError() }
        set { fatalError() }
    }
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { fatalError() }
    public var wrappedValue: Value { fatalError() }
}

// MARK: Views

public struct Text: PrimitiveView {
    public init(_ content: some StringProtocol) { fatalError() }
}

public struct Image: PrimitiveView {
    public init(systemName: String) { fatalError() }
    public init(decorative cgImage: CGImage, scale: CGFloat) { fatalError() }
    public func resizable() -> Image { fatalError() }
}

public struct Group<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
}

public struct Form<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
}

public struct Section<Content: View>: PrimitiveView {
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) { fatalError() }
}

public struct List<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable { fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable { fatalError() }
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) { fatalError() }
}

public enum HorizontalAlignment { case leading, center, trailing }

public struct VStack<Content: View>: PrimitiveView {
    public init(alignment: HorizontalAlignment = .center, @ViewBuilder content: () -> Content) { fatalError() }
}

public struct HStack<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
}

public struct LabeledContent<Content: View>: PrimitiveView {
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) { fatalError() }
}

public struct Label: PrimitiveView {
    public init(_ title: some StringProtocol, systemImage: String) { fatalError() }
}

public struct Button<Label: View>: PrimitiveView {
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { fatalError() }
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) where Label == Text {
        fatalError()
    }
}

public struct NavigationStack<Root: View>: PrimitiveView {
    public init(@ViewBuilder root: () -> Root) { fatalError() }
}

public struct NavigationLink<Label: View, Destination: View>: PrimitiveView {
    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) { fatalError() }
    public init(_ title: some StringProtocol, @ViewBuilder destination: () -> Destination) where Label == Text {
        fatalError()
    }
}

// MARK: Modifiers

public struct Font: Sendable {
    public static var caption: Font { fatalError() }
}

public protocol ShapeStyle {}
public struct HierarchicalShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var secondary: HierarchicalShapeStyle { fatalError() }
}

public struct Animation: Sendable {
    public static var `default`: Animation { fatalError() }
}

public struct ModifiedView: PrimitiveView {}

extension View {
    public func navigationTitle(_ title: some StringProtocol) -> ModifiedView { fatalError() }
    public func foregroundStyle(_ style: some ShapeStyle) -> ModifiedView { fatalError() }
    public func font(_ font: Font?) -> ModifiedView { fatalError() }
    public func scaledToFit() -> ModifiedView { fatalError() }
    public func frame(maxHeight: CGFloat?) -> ModifiedView { fatalError() }
    public func disabled(_ isDisabled: Bool) -> ModifiedView { fatalError() }
    public func animation<Value: Equatable>(_ animation: Animation?, value: Value) -> ModifiedView { fatalError() }
    public func toolbar(@ViewBuilder content: () -> some View) -> ModifiedView { fatalError() }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> ModifiedView { fatalError() }
    public func task<ID: Equatable>(
        id: ID, _ action: @escaping @MainActor @Sendable () async -> Void
    ) -> ModifiedView { fatalError() }
    public func alert(
        _ title: some StringProtocol, isPresented: Binding<Bool>, @ViewBuilder actions: () -> some View,
        @ViewBuilder message: () -> some View
    ) -> ModifiedView { fatalError() }
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType],
        onCompletion: @escaping (Result<URL, any Error>) -> Void
    ) -> ModifiedView { fatalError() }
    public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> ModifiedView { fatalError() }
}

// MARK: Apps

@MainActor @preconcurrency
public protocol Scene {}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App {
    public static func main() { fatalError() }
}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
}

// Foundation's, on Apple platforms only.
extension URL {
    public static var applicationSupportDirectory: URL { fatalError() }
    public func startAccessingSecurityScopedResource() -> Bool { fatalError() }
    public func stopAccessingSecurityScopedResource() { fatalError() }
}
