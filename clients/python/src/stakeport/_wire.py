"""Between the JSON of the service and the types of `models`."""

from __future__ import annotations

import dataclasses
import json
import operator
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Final, TypeVar, Union, cast

Json = Any


class Unset:
    """What is not there: of a request it is not sent, where `None` is sent as null."""

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()
Amount = Union[Decimal, float, int, str]
"""Money, a price or another exact number: `Decimal("0.57")`, `"0.57"`, `20`, or a float as it prints, with at most 6 decimals."""
_PLACES = 6

M = TypeVar("M", bound="Model")


class Model:
    """What the service answers."""

    __slots__ = ()

    @classmethod
    def from_json(cls: type[M], value: Mapping[str, Json]) -> M:
        """Reads what the service wrote, as `json.loads(text, parse_float=Decimal)` returns it. Unknown members are left out."""
        if not isinstance(value, Mapping):
            raise TypeError(f"{cls.__name__} is read from a JSON object, and this is {shown(value)}")
        fields = {}
        for name, wire, read, is_required in _fields_of(cls):
            if wire in value:
                fields[name] = read(value[wire])
            elif is_required:
                raise ValueError(f"{cls.__name__} lacks {wire}: is this a stakeport of another version?")
        return cls(**fields)

    def to_json(self) -> dict[str, Json]:
        """As the service writes it, but that all decimals are texts."""
        return {
            field.name.rstrip("_"): to_json(value)
            for field in dataclasses.fields(cast(Any, self))
            if not isinstance(value := getattr(self, field.name), Unset)
        }


Read = Callable[[Json], Any]


Fields = Sequence[tuple[str, str, Read, bool]]
_READ: dict[type, Fields] = {}


def _fields_of(model: type[Model]) -> Fields:
    """Of each field: its name, that of its member, what reads it, and whether it must be there. Found out once a class."""
    known = _READ.get(model)
    if known is None:
        hints = typing.get_type_hints(model)
        known = _READ[model] = [
            (field.name, field.name.rstrip("_"), _reader(hints[field.name]), field.default is dataclasses.MISSING)
            for field in dataclasses.fields(cast(Any, model))
        ]
    return known


def _as_it_is(value: Json) -> Any:
    return value


def _decimal(value: Json) -> Any:
    return Decimal(value) if isinstance(value, (str, int, Decimal)) and not isinstance(value, bool) else value


def _moment(value: Json) -> Any:
    # Python 3.10 reads neither a Z nor other than 3 or 6 decimals; the service writes 3.
    return datetime.fromisoformat(f"{value[:-1]}+00:00" if value.endswith("Z") else value)


def _reader(hint: Any) -> Read:
    """Reads a value of this type. What is null stays so, whatever the type: a later version may have more nulls."""
    read = _reader_of_some(hint)
    if read is _as_it_is:
        return read
    return lambda value: None if value is None else read(value)


def _reader_of_some(hint: Any) -> Read:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        return _reader_of_one([one for one in arguments if one not in (type(None), Unset)])
    if hint is Decimal:
        return _decimal
    if hint is datetime:
        return _moment
    if origin is tuple:
        item = _reader(arguments[0])
        return lambda value: tuple(item(one) for one in value)
    if origin is not None and issubclass(origin if isinstance(origin, type) else object, Mapping):
        member = _reader(arguments[1])
        return lambda value: {key: member(one) for key, one in value.items()}
    if isinstance(hint, type) and issubclass(hint, Model):
        return hint.from_json
    return _as_it_is


def _reader_of_one(arms: Sequence[Any]) -> Read:
    if len(arms) == 1:
        return _reader_of_some(arms[0])
    models = [arm for arm in arms if isinstance(arm, type) and issubclass(arm, Model)]
    rest = [arm for arm in arms if arm not in models]
    array = next((_reader_of_some(arm) for arm in rest if typing.get_origin(arm) is tuple), _as_it_is)

    def read(value: Json) -> Any:
        if isinstance(value, Mapping):
            # The one with the most members of which none is missing; what no version here knows stays as it came.
            fitting = [(len(named), model) for model in models if (named := _required(model)) <= value.keys()]
            return max(fitting, key=lambda one: one[0])[1].from_json(value) if fitting else value
        return array(value) if isinstance(value, list) else value

    return read


def _required(model: type[Model]) -> frozenset[str]:
    return frozenset(wire for _, wire, _, is_required in _fields_of(model) if is_required)


def shown(value: object) -> str:
    """A value for a message."""
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else f'{text[:57]}...'}"


def to_json(value: object, path: str = "") -> Json:
    """As it is sent. Amounts are texts, exactly; a member that is `UNSET` is left out."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Decimal):
        return _plain(value, path)
    if isinstance(value, datetime):
        return _moment_text(value, path)
    if isinstance(value, float):
        return _float_text(value, path)
    if isinstance(value, Model):
        return value.to_json()
    if isinstance(value, Mapping):
        return {
            str(key): to_json(one, f"{path}/{key}" if path else str(key))
            for key, one in value.items()
            if not isinstance(one, Unset)
        }
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [to_json(one, f"{path}/{index}") for index, one in enumerate(value)]
    try:
        return operator.index(cast(Any, value))
    except TypeError:
        raise TypeError(f"{path or 'The request'} is {shown(value)}, which has no form in JSON") from None


def _float_text(value: float, path: str) -> str:
    """The shortest decimal that is this float, which is what a person wrote. More decimals are what a calculation left."""
    text = _plain(Decimal(float.__repr__(value)), path)
    if len(text.partition(".")[2]) > _PLACES:
        raise ValueError(f"{path or 'An amount'} is {text}, with more than {_PLACES} decimals: give round(value, 4), or a Decimal.")
    return text


def _plain(value: Decimal, path: str) -> str:
    if not value.is_finite():
        raise ValueError(f"{path or 'An amount'} is {value}, which is no number")
    text = format(value, "f")
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text


def _moment_text(value: datetime, path: str) -> str:
    if value.utcoffset() is None:
        raise ValueError(
            f"{path or 'A time'} is {value.isoformat()}, without a zone: which moment is that?"
            " Say datetime.now(timezone.utc), or value.astimezone()."
        )
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parsed(text: str | bytes) -> Json:
    """JSON with exact numbers."""
    return json.loads(text, parse_float=Decimal)
