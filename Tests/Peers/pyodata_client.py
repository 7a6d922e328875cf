"""Uses Northwind, served over OData V2 at the URL given, with pyodata: reads, filters, creates, updates, deletes, calls
functions, sends batches. Ends with status 0 if all of it is as it should be."""

import sys

import pyodata
import requests


def check(what, found, expected):
    if found != expected:
        raise AssertionError(f"{what}: {found!r} is not {expected!r}")


def read(client):
    categories = client.entity_sets.Categories.get_entities().execute()
    check("categories", len(categories), 8)
    check("first", client.entity_sets.Categories.get_entity(1).execute().CategoryName, "Beverages")
    page = client.entity_sets.Products.get_entities().filter("substringof('Chef',ProductName)").execute()
    check("filtered", [product.ProductID for product in page], [4, 5])
    request = client.entity_sets.Products.get_entities().top(3).skip(1).order_by("ProductID desc").count(inline=True)
    found = request.execute()
    check("inline count", found.total_count, 77)
    check("top and skip", [product.ProductID for product in found], [76, 75, 74])
    check("count", client.entity_sets.Products.get_entities().count().execute(), 77)
    selected = client.entity_sets.Products.get_entities().select("ProductID,ProductName").top(1).execute()
    check("selected", selected[0].ProductName, "Chai")


def change(client):
    created = client.entity_sets.Categories.create_entity().set(CategoryName="Peers", Description="new").execute()
    key = created.CategoryID
    check("created", created.CategoryName, "Peers")
    client.entity_sets.Categories.update_entity(key).set(Description="changed").execute()
    check("merged", client.entity_sets.Categories.get_entity(key).execute().Description, "changed")
    client.entity_sets.Categories.update_entity(key, method="MERGE").set(Description="again").execute()
    check("kept", client.entity_sets.Categories.get_entity(key).execute().CategoryName, "Peers")
    client.entity_sets.Categories.update_entity(key, method="PUT").set(CategoryName="Whole").execute()
    check("replaced", client.entity_sets.Categories.get_entity(key).execute().Description or None, None)
    client.entity_sets.Categories.delete_entity(key).execute()
    missing = client.entity_sets.Categories.get_entities().filter(f"CategoryID eq {key}").execute()
    check("deleted", len(missing), 0)


def batch(client):
    changes = client.create_changeset()
    changes.add_request(client.entity_sets.Categories.create_entity().set(CategoryName="One"))
    changes.add_request(client.entity_sets.Categories.create_entity().set(CategoryName="Two"))
    request = client.create_batch()
    request.add_request(changes)
    request.add_request(client.entity_sets.Categories.get_entity(1))
    response = request.execute()
    check("change set", [entity.CategoryName for entity in response[0]], ["One", "Two"])
    check("read in a batch", response[1].CategoryName, "Beverages")
    for entity in response[0]:
        client.entity_sets.Categories.delete_entity(entity.CategoryID).execute()


def functions(client):
    # pyodata hands on what stands in "d" for all but entities.
    check("function", client.functions.Double.parameter("number", 21).execute(), {"Double": 42})
    dearest = client.functions.Dearest.parameter("count", 2).execute()
    check("function of entities", [product.ProductID for product in dearest], [38, 29])


def main():
    client = pyodata.Client(sys.argv[1], requests.Session())
    read(client)
    change(client)
    batch(client)
    if len(sys.argv) > 2:
        functions(client)
    print("ok")


main()
