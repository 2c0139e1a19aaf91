"""Built-in https: usable certificate files, and a sentence for each unusable one."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from classroom.live.server import https
from classroom.services.operation.upkeep import CannotStart

NOW = datetime.now(UTC)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def written(authority: trustme.CA, folder: Path, name: str = "school", **more: datetime) -> str:
    """Write a certificate and its key into this folder. Returns the certificate's path."""
    made = authority.issue_cert("school.example", "127.0.0.1", **more)
    made.private_key_pem.write_to_path(folder / f"{name}.key")
    for part in made.cert_chain_pems:
        part.write_to_path(folder / f"{name}.crt", append=True)
    return str(folder / f"{name}.crt")


def key_of(certificate: str) -> str:
    return certificate.removesuffix("crt") + "key"


def refusal(certificate: str, key: str) -> str:
    with pytest.raises(CannotStart) as refused:
        https(certificate, key)
    said = str(refused.value)
    assert said.endswith(".")
    assert "\n" not in said
    return said


def test_a_usable_certificate_says_when_it_ends(authority: trustme.CA, tmp_path: Path) -> None:
    ends = (NOW + timedelta(days=90)).replace(microsecond=0)
    file = written(authority, tmp_path, not_after=ends)
    found = https(file, key_of(file))
    assert found.until == ends
    assert found.context.minimum_version == ssl.TLSVersion.TLSv1_2


def test_a_missing_file_is_named(authority: trustme.CA, tmp_path: Path) -> None:
    file = written(authority, tmp_path)
    assert "none.crt cannot be read" in refusal(str(tmp_path / "none.crt"), key_of(file))
    assert "none.key cannot be read" in refusal(file, str(tmp_path / "none.key"))
    assert "cannot be read" in refusal(str(tmp_path), key_of(file))


def test_one_of_the_two_is_not_enough(authority: trustme.CA, tmp_path: Path) -> None:
    file = written(authority, tmp_path)
    assert "two files" in refusal(file, "")
    assert "two files" in refusal("", key_of(file))


def test_swapped_files_are_noticed(authority: trustme.CA, tmp_path: Path) -> None:
    file = written(authority, tmp_path)
    assert "contains no certificate" in refusal(key_of(file), file)
    assert "contains no private key" in refusal(file, file)


def test_a_key_of_another_certificate_is_refused(authority: trustme.CA, tmp_path: Path) -> None:
    file, other = written(authority, tmp_path), written(authority, tmp_path, "other")
    assert "does not belong" in refusal(file, key_of(other))


def test_an_expired_certificate_says_when_it_ended(authority: trustme.CA, tmp_path: Path) -> None:
    over = {"not_before": NOW - timedelta(days=40), "not_after": NOW - timedelta(days=10)}
    file = written(authority, tmp_path, **over)
    ended = (NOW - timedelta(days=10)).astimezone()
    assert f"expired on {ended:%Y-%m-%d}" in refusal(file, key_of(file))


def test_a_certificate_of_tomorrow_is_not_valid_yet(authority: trustme.CA, tmp_path: Path) -> None:
    begins = NOW + timedelta(days=3)
    file = written(authority, tmp_path, not_before=begins, not_after=NOW + timedelta(days=30))
    assert f"not valid before {begins.astimezone():%Y-%m-%d}" in refusal(file, key_of(file))


def test_a_damaged_certificate_is_refused(authority: trustme.CA, tmp_path: Path) -> None:
    file = written(authority, tmp_path)
    Path(file).write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    assert "cannot be used" in refusal(file, key_of(file))


def test_a_key_with_a_password_is_refused(authority: trustme.CA, tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization as form

    file = written(authority, tmp_path)
    plain = form.load_pem_private_key(Path(key_of(file)).read_bytes(), None)
    locked = plain.private_bytes(
        form.Encoding.PEM, form.PrivateFormat.PKCS8, form.BestAvailableEncryption(b"word")
    )
    Path(key_of(file)).write_bytes(locked)
    assert "protected by a password" in refusal(file, key_of(file))


def test_a_certificate_for_people_is_refused(tmp_path: Path) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization as form
    from cryptography.hazmat.primitives.asymmetric import ec

    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(NOW - timedelta(days=1))
        .not_valid_after(NOW + timedelta(days=9))
        .add_extension(x509.ExtendedKeyUsage([x509.OID_CLIENT_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "people.crt"
    file.write_bytes(made.public_bytes(form.Encoding.PEM))
    plain = (form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    (tmp_path / "people.key").write_bytes(key.private_bytes(*plain))
    assert "Browsers would refuse" in refusal(str(file), key_of(str(file)))
