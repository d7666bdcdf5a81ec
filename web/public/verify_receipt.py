#!/usr/bin/env python3
"""Verifies the receipt of a deletion: python3 verify_receipt.py receipt.json PUBLIC_KEY (base64). Needs nothing but Python 3.8."""
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

try:
    receipt, key = json.load(open(sys.argv[1], encoding="utf-8")), base64.b64decode(sys.argv[2], validate=True)
    signature = base64.b64decode(receipt["signature"], validate=True)
    # A field that stands twice is refused.
    text = "feierbild receipt 1\nevent {event}\nphotos {photos}\nvideos {videos}\nbytes {bytes}\n" \
        "keys_destroyed_at {keys_destroyed_at}\nbackups_gone_by {backups_gone_by}\nkey_id {key_id}\n".format(**receipt, **receipt["deleted"])
    good = hashlib.sha256(key).hexdigest()[:16] == receipt["key_id"] \
        and base64.b64encode(signature).decode() == receipt["signature"] and is_signed(key, text.encode(), signature)
except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
    sys.exit(f"Nicht lesbar: {error!r}")
print(text if good else "FALSCH: Die Unterschrift passt nicht zu diesem Löschprotokoll.")
sys.exit(0 if good else 1)
