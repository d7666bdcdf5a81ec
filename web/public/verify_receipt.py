#!/usr/bin/env python3
"""Prüft ein Löschprotokoll: python3 verify_receipt.py DATEI SCHLÜSSEL. Der Schlüssel ist der öffentliche, in Base64. Braucht nur Python 3.8."""
import base64, hashlib, json, sys

# Ed25519 (RFC 8032): the field's prime, the order of the base point, the curve's constant, a square root of -1.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, I = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P)

def point(data):
    """A point of 32 bytes, in extended coordinates."""
    y, sign = int.from_bytes(data, "little") & ~(1 << 255), data[31] >> 7
    u = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(u, (P + 3) // 8, P)
    x = x if x * x % P == u else x * I % P
    if len(data) != 32 or y >= P or x * x % P != u or (x == 0 and sign):
        raise ValueError("no point of the curve")
    x = x if x % 2 == sign else P - x
    return x, y, 1, x * y % P

def add(p, q):
    a, b, c, d = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0]), 2 * D * p[3] * q[3], 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P

def times(n, p):
    """n times a point."""
    sum = (0, 1, 1, 0)
    while n:
        sum, p, n = (add(sum, p) if n & 1 else sum), add(p, p), n >> 1
    return sum

def is_signed(key, text, signature):
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % L
    base, right = times(s, point(bytes([88] + [102] * 31))), add(point(signature[:32]), times(k, point(key)))
    return all((base[n] * right[2] - right[n] * base[2]) % P == 0 for n in (0, 1))

FIELDS = {"event", "deleted", "keys_destroyed_at", "backups_gone_by", "key_id", "signature"}
COUNTS = {"photos", "videos", "bytes"}

def unique(pairs):
    """An object of JSON; json.load would keep the last of equal names."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field stands twice")
    return dict(pairs)

def read(path, key):
    """The key, the signed text and the signature; None and a sentence where there is something wrong with them."""
    try:
        key = base64.b64decode(key, validate=True)
        point(key)
    except (ValueError, IndexError):
        return None, "Der angegebene Schlüssel ist kein öffentlicher Schlüssel in Base64."
    try:
        with open(path, encoding="utf-8") as file:
            receipt = json.load(file, object_pairs_hook=unique)
        if set(receipt) != FIELDS or set(receipt["deleted"]) != COUNTS or {type(n) for n in receipt["deleted"].values()} != {int}:
            raise ValueError("not a receipt's fields")
        signature = base64.b64decode(receipt["signature"], validate=True)
        text = "feierbild receipt 1\nevent {event}\nphotos {photos}\nvideos {videos}\nbytes {bytes}\n" \
            "keys_destroyed_at {keys_destroyed_at}\nbackups_gone_by {backups_gone_by}\nkey_id {key_id}\n".format(**receipt, **receipt["deleted"])
        if base64.b64encode(signature).decode() != receipt["signature"]:
            return None, "Die Unterschrift in der Datei ist beschädigt."
    except OSError:
        return None, "Die Datei ist nicht da oder nicht lesbar."
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None, "Die Datei ist kein Löschprotokoll."
    if hashlib.sha256(key).hexdigest()[:16] != receipt["key_id"]:
        return None, "Das Löschprotokoll ist mit einem anderen Schlüssel unterschrieben."
    return (key, text, signature), None

def main(arguments):
    if len(arguments) != 2:
        return __doc__
    parts, mistake = read(*arguments)
    if mistake:
        return "NICHT GEPRÜFT: " + mistake
    key, text, signature = parts
    try:
        good = is_signed(key, text.encode(), signature)
    except (ValueError, IndexError):
        good = False
    if not good:
        print("FALSCH: Die Unterschrift passt nicht zu diesem Löschprotokoll.")
        return 1
    print("ECHT: Dieses Löschprotokoll ist so unterschrieben worden, wie es hier steht.\n\n" + text, end="")
    return 0

# Consoles that lack a letter show another.
for stream in sys.stdout, sys.stderr:
    stream.reconfigure(errors="replace")
sys.exit(main(sys.argv[1:]))
