import ArgumentParser
import AsyncHTTPTransport
import ByteStreams
import Foundation
import GRDB
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import OData
import ODataArcGIS
import ODataConformance
import ODataServer
import ODataService
import ODataTesting
import ODataUI
import Observation
import RegexBuilder
import Testing
import URLSessionTransport

/// Those of the other products.
extension PublicNames {
    static let asyncHTTPTransport: [Any.Type] = [
        AsyncHTTPTransport.self
    ]

    static let arcGIS: [Any.Type] = [
        ArcGISClient.self, FeatureLayer.self, FeatureLayerBackEnd.self,
    ]

    static let conformance: [Any.Type] = [
        ConformanceCapability.self, ConformanceCheck.self, ConformanceFailure.self, ConformanceSample.self,
        ConformanceSuite.self,
    ]

    static let server: [Any.Type] = [
        AllowedHosts.self, ODataServer.self, ServerError.self, ServerIdentity.self, ServerLimits.self,
    ]

    static let service: [Any.Type] = [
        AuthenticatingResponder.self, CrossOriginPolicy.self, CrossOriginResponder.self, (any HTTPResponder).self,
        ODataService.self, ResponderContext.self, ServiceCredentials.self, ServiceLimits.self, ServiceResponse.self,
    ]

    static let testing: [Any.Type] = [
        ComplianceSample.self, FaultPlan.self, FaultTransport.self, FieldServiceSample.self, InProcessTransport.self,
        OfflineSimulation.self, SimulationReport.self, TransportFault.self,
    ]

    static let views: [Any.Type] = [
        FetchedEntities<DynamicEntity>.self, FetchedEntity<DynamicEntity>.self, FetchedValue<Int>.self,
        MediaImage.self, SyncStatus.self,
    ]

    static let urlSessionTransport: [Any.Type] = [
        URLSessionTransport.self
    ]
}
