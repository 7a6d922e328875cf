extension EdmAnnotation {
    /// A value with named members.
    ///
    /// A dictionary literal makes one: `["Insertable": .bool(false)]`. [OData-CSDLXML, section 14.4.12: Record]
    public struct Record: Hashable, Sendable, EdmAnnotated, ExpressibleByDictionaryLiteral {
        /// A property of the record with its value.
        public struct Member: Hashable, Sendable, EdmAnnotated {
            /// The name of the member in the record's type: `Insertable`.
            public var name: String
            /// True where an XML document gives no value.
            public var value: Value
            public var annotations: [EdmAnnotation]

            /// A member with a value.
            public init(name: String, value: Value, annotations: [EdmAnnotation] = []) {
                self.name = name
                self.value = value
                self.annotations = annotations
            }
        }

        /// The record's type, where it is given: `com.sap.vocabularies.UI.V1.DataField`.
        public var type: EdmQualifiedName?
        /// In the order of the document. Members that the type has, but the document does not give, are not there.
        public var members: [Member]
        public var annotations: [EdmAnnotation]

        /// A record of the given members. With two of one name the subscript finds the first.
        public init(type: EdmQualifiedName? = nil, members: [Member], annotations: [EdmAnnotation] = []) {
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

    /// A value that is computed: kept as it is, not evaluated.
    ///
    /// [OData-CSDLXML, section 14.4: Dynamic Expression]
    public struct Expression: Hashable, Sendable, EdmAnnotated {
        /// The name of the expression's XML element.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// True if both operands are. [OData-CSDLXML, section 14.4.2: Comparison and Logical Operators]
            case and = "And"
            /// True if one operand is.
            case or = "Or"
            /// True if the operand is false.
            case not = "Not"
            /// Whether the operands are equal.
            case eq = "Eq"
            /// Whether the operands differ.
            case ne = "Ne"
            /// Whether the first operand is greater than the second.
            case gt = "Gt"
            /// Whether the first operand is greater than or equal to the second.
            case ge = "Ge"
            /// Whether the first operand is less than the second.
            case lt = "Lt"
            /// Whether the first operand is less than or equal to the second.
            case le = "Le"
            /// Whether the first operand has the flags of the second.
            case has = "Has"
            /// Whether the first operand is a member of the second, a collection.
            case `in` = "In"
            /// The operand with its sign changed. [OData-CSDLXML, section 14.4.3: Arithmetic Operators]
            case neg = "Neg"
            /// The sum of two operands.
            case add = "Add"
            /// The first operand without the second.
            case sub = "Sub"
            /// The product of two operands.
            case mul = "Mul"
            /// The quotient, a whole number if both operands are.
            case div = "Div"
            /// The quotient with a fraction, also of whole numbers.
            case divBy = "DivBy"
            /// The remainder of the division.
            case mod = "Mod"
            /// A call of the function ``Expression/name``.
            case apply = "Apply"
            /// The operand as a value of ``Expression/type``. [OData-CSDLXML, section 14.4.5: Cast]
            case cast = "Cast"
            /// Whether the operand is of ``Expression/type``. [OData-CSDLXML, section 14.4.8: Is-Of]
            case isOf = "IsOf"
            /// Of three operands the second if the first is true, else the third, which may be missing in collections.
            /// [OData-CSDLXML, section 14.4.7: If-Then-Else]
            case `if` = "If"
            /// The operand under the label ``Expression/name``.
            case labeledElement = "LabeledElement"
            /// What is under the label ``Expression/name``.
            case labeledElementReference = "LabeledElementReference"
            /// What a GET of the operand, a URL, gives. [OData-CSDLXML, section 14.4.13: URL Reference]
            case urlRef = "UrlRef"
            /// Null with annotations; without, it is ``Value/null``.
            case null = "Null"
        }

        /// Which operation it is, and so how many operands there are.
        public var kind: Kind
        /// In the order of the document; one that is in an attribute of XML is here too.
        public var operands: [Value]
        /// A function, `odata.concat`, or a label.
        public var name: String?
        /// The type of a cast or type test: `Edm.Decimal`, `Collection(Model.Color)`.
        public var type: String?
        /// The facets of ``type``, for casts and type tests.
        public var facets: EdmFacets
        public var annotations: [EdmAnnotation]

        /// An expression, whose operands are not checked against its kind.
        public init(
            _ kind: Kind, _ operands: [Value] = [], name: String? = nil, type: String? = nil,
            facets: EdmFacets = EdmFacets(), annotations: [EdmAnnotation] = []
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
