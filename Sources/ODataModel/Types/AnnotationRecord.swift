extension Annotation {
    /// A value with named members.
    ///
    /// A dictionary literal makes one: `["Insertable": .bool(false)]`. [OData-CSDLXML, section 14.4.12: Record]
    public struct Record: Hashable, Sendable, Annotated, ExpressibleByDictionaryLiteral {
        /// A property of the record with its value.
        public struct Member: Hashable, Sendable, Annotated {
            public var name: String
            public var value: Value
            public var annotations: [Annotation]

            public init(name: String, value: Value, annotations: [Annotation] = []) {
                self.name = name
                self.value = value
                self.annotations = annotations
            }
        }

        /// The record's type, where it is given: `com.sap.vocabularies.UI.V1.DataField`.
        public var type: QualifiedName?
        public var members: [Member]
        public var annotations: [Annotation]

        public init(type: QualifiedName? = nil, members: [Member], annotations: [Annotation] = []) {
            self.type = type
            self.members = members
            self.annotations = annotations
        }

        public init(dictionaryLiteral elements: (String, Value)...) {
            self.init(members: elements.map { Member(name: $0.0, value: $0.1) })
        }

        /// The value of the named member; setting nil removes it.
        public subscript(name: String) -> Value? {
            get { members.first { $0.name == name }?.value }
            set {
                let position = members.firstIndex { $0.name == name }
                switch (position, newValue) {
                case (let position?, let value?): members[position].value = value
                case (let position?, nil): members.remove(at: position)
                case (nil, let value?): members.append(Member(name: name, value: value))
                case (nil, nil): break
                }
            }
        }
    }

    /// A value that is computed: kept as it stands, not evaluated.
    ///
    /// [OData-CSDLXML, section 14.4: Dynamic Expression]
    public struct Expression: Hashable, Sendable, Annotated {
        /// The name of the expression's XML element.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            case and = "And"
            case or = "Or"
            case not = "Not"
            case eq = "Eq"
            case ne = "Ne"
            case gt = "Gt"
            case ge = "Ge"
            case lt = "Lt"
            case le = "Le"
            case has = "Has"
            case `in` = "In"
            case neg = "Neg"
            case add = "Add"
            case sub = "Sub"
            case mul = "Mul"
            case div = "Div"
            case divBy = "DivBy"
            case mod = "Mod"
            /// A call of the function ``Expression/name``.
            case apply = "Apply"
            case cast = "Cast"
            case isOf = "IsOf"
            case `if` = "If"
            /// The operand under the label ``Expression/name``.
            case labeledElement = "LabeledElement"
            /// What stands under the label ``Expression/name``.
            case labeledElementReference = "LabeledElementReference"
            case urlRef = "UrlRef"
            /// Null with annotations; without, it is ``Value/null``.
            case null = "Null"
        }

        public var kind: Kind
        public var operands: [Value]
        /// A function, `odata.concat`, or a label.
        public var name: String?
        /// The type of a cast or type test: `Edm.Decimal`, `Collection(Model.Color)`.
        public var type: String?
        public var facets: Facets
        public var annotations: [Annotation]

        public init(
            _ kind: Kind, _ operands: [Value] = [], name: String? = nil, type: String? = nil,
            facets: Facets = Facets(), annotations: [Annotation] = []
        ) {
            self.kind = kind
            self.operands = operands
            self.name = name
            self.type = type
            self.facets = facets
            self.annotations = annotations
        }
    }
}
