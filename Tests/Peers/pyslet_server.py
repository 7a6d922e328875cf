"""Serves a small model with media entities over OData V2 with pyslet, from memory, on a loopback port of the system's
choice. Writes the service root to standard output and serves until standard input ends."""

import decimal
import io
import logging
import os
import sys
import threading
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from pyslet import iso8601
from pyslet.odata2 import csdl
from pyslet.odata2 import metadata as edmx
from pyslet.odata2.memds import InMemoryEntityContainer
from pyslet.odata2.server import Server

METADATA = b"""<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
  <edmx:DataServices m:DataServiceVersion="2.0">
    <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2006/04/edm">
      <EntityContainer Name="Container" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Products" EntityType="Shop.Product"/>
        <EntitySet Name="Categories" EntityType="Shop.Category"/>
        <EntitySet Name="Photos" EntityType="Shop.Photo"/>
        <AssociationSet Name="ProductCategories" Association="Shop.ProductCategory">
          <End Role="Product" EntitySet="Products"/>
          <End Role="Category" EntitySet="Categories"/>
        </AssociationSet>
      </EntityContainer>
      <EntityType Name="Product">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="80"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="10" Scale="2"/>
        <Property Name="Stock" Type="Edm.Int64"/>
        <Property Name="Weight" Type="Edm.Double"/>
        <Property Name="Discontinued" Type="Edm.Boolean" Nullable="false"/>
        <Property Name="Released" Type="Edm.DateTime"/>
        <Property Name="Code" Type="Edm.Guid"/>
        <Property Name="Version" Type="Edm.Int32" Nullable="false" ConcurrencyMode="Fixed"/>
        <NavigationProperty Name="Category" Relationship="Shop.ProductCategory" FromRole="Product" ToRole="Category"/>
      </EntityType>
      <EntityType Name="Category">
        <Key><PropertyRef Name="Name"/></Key>
        <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="40"/>
        <NavigationProperty Name="Products" Relationship="Shop.ProductCategory" FromRole="Category" ToRole="Product"/>
      </EntityType>
      <EntityType Name="Photo" m:HasStream="true">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.String" Nullable="false" MaxLength="64"/>
        <Property Name="Title" Type="Edm.String" MaxLength="80" m:FC_TargetPath="SyndicationTitle"
            m:FC_KeepInContent="true"/>
      </EntityType>
      <Association Name="ProductCategory">
        <End Role="Product" Type="Shop.Product" Multiplicity="*"/>
        <End Role="Category" Type="Shop.Category" Multiplicity="0..1"/>
      </Association>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>
"""


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *args):
        if os.environ.get("VERBOSE"):
            super().log_message(*args)


class ThreadingServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True


def end_paging():
    """Takes the link to a next page off the last one, which pyslet's store in memory has forgotten."""
    pages = csdl.EntityCollection.iterpage

    def iterpage(self, set_next=False):
        count = 0
        for entity in pages(self, set_next):
            count += 1
            yield entity
        if self.topmax and count < self.topmax:
            self.nextSkiptoken = None

    csdl.EntityCollection.iterpage = iterpage


def add_products(services):
    categories = ["Tea & Coffee", "O'Neil's", "Größe"]
    with services["Shop.Container.Categories"].open() as collection:
        for name in categories:
            entity = collection.new_entity()
            entity.set_key(name)
            collection.insert_entity(entity)
    with services["Shop.Container.Products"].open() as collection:
        for number in range(1, 251):
            entity = collection.new_entity()
            entity.set_key(number)
            entity["Name"].set_from_value("Product %i <&>" % number)
            entity["Price"].set_from_value(decimal.Decimal("%i.50" % number))
            entity["Stock"].set_from_value(9007199254740993 + number)
            entity["Weight"].set_from_value(number / 4.0)
            entity["Discontinued"].set_from_value(number % 2 == 0)
            entity["Released"].set_from_value(iso8601.TimePoint.from_str("2012-05-29T09:13:28"))
            entity["Version"].set_from_value(1)
            if number % 5:
                entity["Category"].bind_entity(categories[number % 3])
            collection.insert_entity(entity)


def main():
    logging.basicConfig(level=logging.INFO if os.environ.get("VERBOSE") else logging.CRITICAL)
    end_paging()
    document = edmx.Document()
    document.read(src=io.BytesIO(METADATA))
    services = document.root.DataServices
    InMemoryEntityContainer(services["Shop.Container"])
    add_products(services)
    listener = make_server("127.0.0.1", 0, None, server_class=ThreadingServer, handler_class=QuietHandler)
    root = "http://127.0.0.1:%i/" % listener.server_port
    server = Server(serviceRoot=root)
    server.topmax = 100
    server.set_model(document)
    listener.set_app(server)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    print(root, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
