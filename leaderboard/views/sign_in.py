"""OpenID sign-in, where the service may not answer: django-allauth's views, without their 500."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.providers.openid_connect import views
from django.http import HttpRequest, HttpResponse
from requests import RequestException

View = Callable[[HttpRequest, str], HttpResponse]


def _answered(view: View) -> View:
    """The same; when the service's own description cannot be fetched, the page that says so."""

    @wraps(view)
    def made(request: HttpRequest, provider_id: str) -> HttpResponse:
        try:
            return view(request, provider_id)
        except RequestException as error:
            provider = get_adapter(request).get_provider(request, provider=provider_id)
            answer: HttpResponse = render_authentication_error(request, provider, exception=error)
            return answer

    return made


login = _answered(views.login)
callback = _answered(views.callback)
