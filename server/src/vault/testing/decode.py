"""Opens what Feierbild seals, written from docs/vault-format.md alone. Reads one JSON object from stdin:

token, owner {kind, owner, subject}, publicKey, wrapped     a session's token and the private key under it
eventId, photoId, secret, coveredForEvent, facts            a photo, its event's secret, its sealed key under that, and facts
deviceHash, sealedGuestKey, description                     its guest, the guest's sealed key and the photo's description
variant, blob                                               one of its blobs
(bytes in hex) and prints {privateKey, photoKey, sha256, crc32, description, content}. Needs the package `cryptography`.

Or, of an upload that is not complete, {deviceId, eventId, uploadId, wrappedForDevice, uploadKey, parts: [{n, blob}], sha256}: prints
{key, keyHash, fingerprint, content}.

Or, of a shown photo in the guests' gallery, {galleryToken, publicKey, wrapped, deviceId, deviceHash, access, eventId, photoId, secret,
coveredForGallery, variant, blob}: prints {privateKey, byDevice, photoKey, content}.
"""
import hmac, json, sys
from hashlib import sha256
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SEGMENT = 256 * 1024


def label(purpose, *fields):
    parts = [b"feierbild/v1/" + purpose.encode()] + [f.encode() if isinstance(f, str) else f for f in fields]
    return b"".join(len(p).to_bytes(2, "big") + p for p in parts)


def derive(secret, salt, info, length=32):
    return HKDF(SHA256(), length, salt, info).derive(secret)


def unwrap(derived, wrapped, aad):
    commitment, nonce, box = wrapped[18:50], wrapped[50:62], wrapped[62:]
    assert hmac.compare_digest(commitment, derived[32:]), "wrong secret"
    return AESGCM(derived[:32]).decrypt(nonce, box, aad)


def hpke_open(private, sealed, info):
    def extract(suite, salt, name, ikm):
        return hmac.new(salt, b"HPKE-v1" + suite + name + ikm, sha256).digest()

    def expand(suite, secret, name, info, length):
        return hmac.new(secret, length.to_bytes(2, "big") + b"HPKE-v1" + suite + name + info + b"\1", sha256).digest()[:length]

    kem, suite, enc = b"KEM\0\x20", b"HPKE\0\x20\0\1\0\2", sealed[:32]
    own = X25519PrivateKey.from_private_bytes(private)
    public = own.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    prk = extract(kem, b"", b"eae_prk", own.exchange(X25519PublicKey.from_public_bytes(enc)))
    shared = expand(kem, prk, b"shared_secret", enc + public, 32)
    context = b"\0" + extract(suite, b"", b"psk_id_hash", b"") + extract(suite, b"", b"info_hash", info)
    secret = extract(suite, shared, b"secret", b"")
    key, nonce = expand(suite, secret, b"key", context, 32), expand(suite, secret, b"base_nonce", context, 12)
    return AESGCM(key).decrypt(nonce, sealed[32:], b"")


def open_blob(photo_key, blob, event, photo, variant):
    assert blob[0] == 1
    salt, prefix = blob[1:33], blob[33:40]
    gcm = AESGCM(derive(photo_key, salt, label("blob", event, photo, variant)))
    cuts = [blob[at : at + SEGMENT] for at in range(0, len(blob), SEGMENT)]
    cuts[0] = cuts[0][40:]
    last = len(cuts) - 1
    return b"".join(gcm.decrypt(prefix + i.to_bytes(4, "big") + bytes([i == last]), cut, b"") for i, cut in enumerate(cuts))


def keyed_hash(secret, purpose, data):
    return hmac.new(derive(secret, b"", label("keyed-hash", purpose)), data, sha256).digest()


def open_upload(job):
    device, event, upload = job["deviceId"].encode(), job["eventId"], job["uploadId"]
    wrapped = bytes.fromhex(job["wrappedForDevice"])
    assert wrapped[:2] == b"\1\2"
    key = unwrap(derive(device, wrapped[2:18], label("device-wrap"), 64), wrapped, label("device-photo-key", event, upload))
    parts = sorted(job["parts"], key=lambda part: part["n"])
    content = b"".join(open_blob(key, bytes.fromhex(part["blob"]), event, upload, f"part-{part['n']}") for part in parts)
    key_hash = keyed_hash(device, "upload", job["uploadKey"].encode())
    fingerprint = keyed_hash(device, "fingerprint:" + event, bytes.fromhex(job["sha256"]))
    return {"key": key.hex(), "keyHash": key_hash.hex(), "fingerprint": fingerprint.hex(), "content": content.hex()}


def open_gallery(job):
    raw = lambda name: bytes.fromhex(job[name])
    event, photo, wrapped, covered, access = job["eventId"], job["photoId"], raw("wrapped"), raw("coveredForGallery"), raw("access")
    assert wrapped[:2] == b"\1\2" and covered[0] == access[0] == 1
    aad = label("private-key", "gallery", event, event, raw("publicKey"))
    private = unwrap(derive(job["galleryToken"].encode(), wrapped[2:18], label("token-wrap"), 64), wrapped, aad)
    device = derive(job["deviceId"].encode(), b"", label("device-pair", event))
    by_device = hpke_open(device, access[1:], label("sealed", f"feierbild gallery access {event} {job['deviceHash']}"))
    cover = AESGCM(derive(raw("secret"), b"", label("cover", event)))
    sealed = cover.decrypt(covered[1:13], covered[13:], label("covered-key", event, photo, "gallery"))
    assert sealed[0] == 1
    photo_key = hpke_open(private, sealed[1:], label("gallery-photo-key", event, photo))
    content = open_blob(photo_key, raw("blob"), event, photo, job["variant"])
    return {"privateKey": private.hex(), "byDevice": by_device.hex(), "photoKey": photo_key.hex(), "content": content.hex()}


def main():
    job = json.load(sys.stdin)
    if "uploadId" in job:
        return json.dump(open_upload(job), sys.stdout)
    if "galleryToken" in job:
        return json.dump(open_gallery(job), sys.stdout)
    raw = lambda name: bytes.fromhex(job[name])
    owner, wrapped, event, photo = job["owner"], raw("wrapped"), job["eventId"], job["photoId"]
    aad = label("private-key", owner["kind"], owner["owner"], owner["subject"], raw("publicKey"))
    assert wrapped[:2] == b"\1\2"
    private = unwrap(derive(job["token"].encode(), wrapped[2:18], label("token-wrap"), 64), wrapped, aad)
    covered = raw("coveredForEvent")
    assert covered[0] == 1
    cover = AESGCM(derive(raw("secret"), b"", label("cover", event)))
    sealed = cover.decrypt(covered[1:13], covered[13:], label("covered-key", event, photo, "event"))
    assert sealed[0] == 1
    photo_key = hpke_open(private, sealed[1:], label("photo-key", event, photo))
    facts = raw("facts")
    assert facts[0] == 1
    plain = AESGCM(derive(photo_key, b"", label("facts", event, photo))).decrypt(facts[1:13], facts[13:], b"")
    sealed, description = raw("sealedGuestKey"), raw("description")
    assert sealed[0] == description[0] == 1
    guest_key = hpke_open(private, sealed[1:], label("guest-key", event, raw("deviceHash")))
    names = AESGCM(guest_key).decrypt(description[1:13], description[13:], label("description", event, photo))
    content = open_blob(photo_key, raw("blob"), event, photo, job["variant"])
    answer = {"privateKey": private.hex(), "photoKey": photo_key.hex(), "sha256": plain[:32].hex()}
    answer["description"] = json.loads(names)
    json.dump({**answer, "crc32": int.from_bytes(plain[32:], "big"), "content": content.hex()}, sys.stdout)


main()
